// case: run main ( [1i32, 2i32, 3i32, 4i32, 5i32, 6i32] )
// Chunks have m / k_1 elements each: what `reshape` does.
entry main (xs_0: [6i64]i32) : (*r_1: [2i64][3i64]i32) (*s_2: [2i64][3i64]i32) = {
  let (first_3: [3i64]i32) = slice xs_0[0i64 : 3i64 : 1i64]
  let (last_4: [3i64]i32) = slice xs_0[3i64 : 3i64 : 1i64]
  let (r_5: [2i64][3i64]i32) = array [3i64]i32 [first_3, last_4]
  let (view_6: [2i64][3i64]i32) = reshape [2i64][3i64] xs_0
  let (s_7: [2i64][3i64]i32) = copy view_6
  in (r_5, s_7)
}
// ---
// [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]
// [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]
