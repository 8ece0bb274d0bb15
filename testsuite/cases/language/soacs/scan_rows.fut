-- case: run ( [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] )
def main [n][m] (xss: [n][m]i32) =
  (scan (map2 (+)) (replicate m 0) xss, map (scan (+) 0) xss, scan (map2 i32.max) (replicate m i32.lowest) (reverse xss))
-- ---
[[1i32, 2i32], [4i32, 6i32], [9i32, 12i32]]
[[1i32, 3i32], [3i32, 7i32], [5i32, 11i32]]
[[5i32, 6i32], [5i32, 6i32], [5i32, 6i32]]
