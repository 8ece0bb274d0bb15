-- case: run ( [1i32, 2i32, 3i32, 4i32] 1i64 )
-- A positive count moves elements to the left; every integer is a valid count.
def main (xs: []i32) (k: i64) = (rotate k xs, rotate (-k) xs, rotate 0 xs, rotate 5 xs, rotate (-9) xs)
-- ---
[2i32, 3i32, 4i32, 1i32]
[4i32, 1i32, 2i32, 3i32]
[1i32, 2i32, 3i32, 4i32]
[2i32, 3i32, 4i32, 1i32]
[4i32, 1i32, 2i32, 3i32]
