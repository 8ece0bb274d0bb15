// case: run main ( [1i32, 2i32, 3i32, 4i32] )
// A slice at offset k1 of k2 elements ends before k1 + k2.
entry main (xs_0: [4i64]i32) : (*r_1: [2i64]i32) = {
  let (s_2: [2i64]i32) = slice xs_0[1i64 : 2i64 : 1i64]
  let (r_3: [2i64]i32) = copy s_2
  in (r_3)
}
// ---
// [2i32, 3i32]
