-- case: run ( [[[1i32, 2i32], [3i32, 4i32]]] )
-- many-dim
def main [a][b][c] (xs: [a][b][c]i32) = map (map (reduce (+) 0)) (map transpose xs)
-- ---
[[4i32, 6i32]]
