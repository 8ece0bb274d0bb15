-- case: run ( [4i32, 9i32, 2i32, 9i32] )
def main [n] (xs: [n]i32) =
  reduce (\(x, i) (y, j) -> if x > y || x == y && i < j then (x, i) else (y, j)) (i32.lowest, i64.highest) (zip xs (iota n))
-- ---
9i32
1i64
