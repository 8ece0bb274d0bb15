-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
def main (xss: [][]i32) = (map (map (+ 1)) xss, map (\xs -> map2 (*) xs xs) xss, map2 (map2 (+)) xss (transpose xss))
-- ---
[[2i32, 3i32], [4i32, 5i32]]
[[1i32, 4i32], [9i32, 16i32]]
[[2i32, 5i32], [5i32, 8i32]]
