-- case: run ( [1i32, 2i32, 3i32, 4i32] )
-- unflatten result
def main [n] (xs: [n]i32): [][]i32 = unflatten (xs :> [2 * (n / 2)]i32)
-- ---
[[1i32, 2i32], [3i32, 4i32]]
