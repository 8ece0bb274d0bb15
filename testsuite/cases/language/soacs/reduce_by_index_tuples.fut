-- case: run ( [0i64, 1i64, 0i64] [5i32, 6i32, 2i32] )
def main [n] (is: [n]i64) (xs: [n]i32) =
  reduce_by_index (replicate 2 (i32.highest, 0)) (\(a, b) (c, d) -> (i32.min a c, b + d)) (i32.highest, 0) is (map (\x -> (x, x)) xs) |> unzip
-- ---
[2i32, 6i32]
[7i32, 6i32]
