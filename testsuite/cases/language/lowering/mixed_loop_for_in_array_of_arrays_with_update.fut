-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
-- mixed loop for-in array of arrays with update
def main [n][m] (xs: [n][m]i32) = loop acc = replicate m 0 for row in xs do map2 (+) acc row
-- ---
[4i32, 6i32]
