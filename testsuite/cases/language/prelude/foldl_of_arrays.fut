-- case: run ( [1i32, 2i32, 3i32] )
def main [n] (xs: [n]i32) = foldl (\acc x -> map (+ x) acc) (replicate n 0) xs
-- ---
[6i32, 6i32, 6i32]
