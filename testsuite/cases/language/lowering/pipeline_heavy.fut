-- case: run ( [1i32, 2i32, 3i32] )
-- pipeline heavy
def main [n] (xs: [n]i32) = xs |> map (+ 1) |> filter (\x -> x % 2 == 0) |> map (* 10) |> reduce (+) 0
-- ---
60i32
