-- case: run ( [1i32, 2i32, 3i32] )
def cross (a: [3]i32) (b: [3]i32) : [3]i32 =
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
def main (xs: [3]i32) = (cross xs [1, 0, 0], cross xs xs)
-- ---
[0i32, 3i32, -2i32]
[0i32, 0i32, 0i32]
