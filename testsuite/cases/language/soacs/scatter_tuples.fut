-- case: run ( [1i64, 0i64] )
def main [n] (is: [n]i64) = scatter (replicate 3 (0i32, true)) is (map (\i -> (i32.i64 i + 1, false)) is) |> unzip
-- ---
[1i32, 2i32, 0i32]
[false, false, true]
