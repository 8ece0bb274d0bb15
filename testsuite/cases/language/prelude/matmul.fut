-- case: run ( [[1i32, 2i32], [3i32, 4i32]] [[5i32, 6i32, 7i32], [8i32, 9i32, 10i32]] )
def main [n][m][p] (a: [n][m]i32) (b: [m][p]i32) : [n][p]i32 = map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a
-- ---
[[21i32, 24i32, 27i32], [47i32, 54i32, 61i32]]
