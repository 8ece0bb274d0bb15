-- case: run ( [3i32, 1i32, 4i32, 1i32, 5i32] )
def main (xs: []i32) =
  let (a, b) = partition (> 2) xs
  let (c, d, e) = partition2 (< 2) (< 4) xs
  in (a, b, c, d, e)
-- ---
[3i32, 4i32, 5i32]
[1i32, 1i32]
[1i32, 1i32]
[3i32]
[4i32, 5i32]
