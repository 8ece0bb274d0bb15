-- case: run ( [1i32, 2i32, 3i32, 4i32] )
-- unflatten with params
def rows (n: i64) (m: i64) (xs: [n * m]i32): [n][m]i32 = unflatten xs
def main (xs: []i32) = rows 2 2 (xs :> [2 * 2]i32)
-- ---
[[1i32, 2i32], [3i32, 4i32]]
