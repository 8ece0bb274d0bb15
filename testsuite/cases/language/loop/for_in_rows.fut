-- case: run ( [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] )
def main [n][m] (xss: [n][m]i32) = loop acc = replicate m 0 for xs in xss do map2 (+) acc xs
-- ---
[9i32, 12i32]
