-- case: run ( [1i32, -2i32, 3i32] )
def main (xs: []i32) = map (\x -> if x > 0 then (x, true) else (-x, false)) xs |> unzip
-- ---
[1i32, 2i32, 3i32]
[true, false, true]
