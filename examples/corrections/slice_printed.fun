// case: check
// `slice` (Figure 5) as printed goes from v_k1 to v_(k1 + k2), which are k2 + 1 elements where the type says k2.
entry main (xs_0: [4i64]i32) : (*r_1: [2i64]i32) = {
  let (s_2: [2i64]i32) = slice xs_0[1i64 : 3i64 : 1i64]
  let (r_3: [2i64]i32) = copy s_2
  in (r_3)
}
// ---
// F2 in main: s_2 is bound with type [2i64]i32, not [3i64]i32
//   let (s_2: [2i64]i32) = slice xs_0[1i64 : 3i64 : 1i64]
