-- case: run ( [1i32, 2i32, 3i32, 4i32, 5i32, 6i32] )
def main (xs: []i32) =
  let a = unflatten (xs :> [2 * 3]i32)
  let b = unflatten (reverse xs :> [3 * 2]i32)
  let c = unflatten_3d (xs :> [1 * 2 * 3]i32)
  in (a, b, c, transpose a)
-- ---
[[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]
[[6i32, 5i32], [4i32, 3i32], [2i32, 1i32]]
[[[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]]
[[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]]
