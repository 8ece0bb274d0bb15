-- case: run ( [3i32, 1i32, 2i32] )
def main (xs: []i32) = xs |> map (* 2) |> filter (> 2) |> reverse |> i32.sum
-- ---
10i32
