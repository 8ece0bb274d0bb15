-- case: run ( [1i32, 4i32, 9i32, 16i32] )
def main [n] (xs: [n]i32) = map2 (-) (xs[1:] :> [n - 1]i32) (xs[:n - 1] :> [n - 1]i32)
-- ---
[3i32, 5i32, 7i32]
