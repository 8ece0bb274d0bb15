-- case: run ( [2i32, 3i32, 5i32] )
def main (xs: []i32) = scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (x, x + 1)) xs) |> unzip
-- ---
[2i32, 6i32, 30i32]
[3i32, 13i32, 71i32]
