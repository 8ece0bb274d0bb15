-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
def main [n][m] (xss: [n][m]i32) = let sq = xss :> [m][m]i32 in map2 (map2 (+)) sq (transpose sq)
-- ---
[[2i32, 5i32], [5i32, 8i32]]
