-- case: run ( [[1i32, 2i32], [3i32, 4i32]] [5i32, 6i32] )
def main [n][m] (xss: [n][m]i32) (ys: [n]i32) = map (\(xs, y) -> map (+ y) xs) (zip xss ys)
-- ---
[[6i32, 7i32], [9i32, 10i32]]
