// case: check
// `nest` (Figure 5) as printed takes the chunk v_1 … v_kn, with the last size kn, and at the end the chunk v_(m - kn) … v_m, which has
// kn + 1 elements. For [1, 2, 3, 4, 5, 6] and [2][3] these are no rows of one size.
entry main (xs_0: [6i64]i32) : (*r_1: [2i64][3i64]i32) = {
  let (first_2: [3i64]i32) = slice xs_0[0i64 : 3i64 : 1i64]
  let (last_3: [4i64]i32) = slice xs_0[2i64 : 4i64 : 1i64]
  let (r_4: [2i64][3i64]i32) = array [3i64]i32 [first_2, last_3]
  in (r_4)
}
// ---
// F2 in main: row: last_3 has type [4i64]i32, not [3i64]i32
//   let (r_4: [2i64][3i64]i32) = array [3i64]i32 [first_2, last_3]
