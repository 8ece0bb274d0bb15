-- case: run ( [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] )
-- The operator works on whole rows.
def main [n][m] (xss: [n][m]i32) = reduce (map2 (+)) (replicate m 0) xss
-- ---
[9i32, 12i32]
