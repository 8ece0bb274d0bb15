-- case: run ( [3i32, -1i32, 4i32, -1i32, 5i32] )
def main (xs: []i32) = (filter (> 0) xs, filter (> 10) xs, filter (const true) xs, length (filter (< 0) xs))
-- ---
[3i32, 4i32, 5i32]
empty([0]i32)
[3i32, -1i32, 4i32, -1i32, 5i32]
2i64
