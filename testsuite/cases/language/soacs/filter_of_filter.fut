-- case: run ( 20i64 )
def main (n: i64) = iota n |> filter (\x -> x % 2 == 0) |> filter (\x -> x % 3 == 0) |> map (+ 1)
-- ---
[1i64, 7i64, 13i64, 19i64]
