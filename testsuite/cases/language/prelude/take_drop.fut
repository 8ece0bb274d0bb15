-- case: run ( [1i32, 2i32, 3i32] 2i64 )
def main [n] (xs: [n]i32) (k: i64) = (take k xs, drop k xs, take 0 xs, drop 0 xs, take n xs, drop n xs)
-- ---
[1i32, 2i32]
[3i32]
empty([0]i32)
[1i32, 2i32, 3i32]
[1i32, 2i32, 3i32]
empty([0]i32)
