-- case: run ( [1i32, 2i32, 3i32] )
def main (xs: []i32) = (map (const xs) [0i8, 0], map (\x -> copy xs with [0] = x) xs)
-- ---
[[1i32, 2i32, 3i32], [1i32, 2i32, 3i32]]
[[1i32, 2i32, 3i32], [2i32, 2i32, 3i32], [3i32, 2i32, 3i32]]
