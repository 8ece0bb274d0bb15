-- case: run ( [[1i32, 2i32], [1i32, 2i32], [2i32, 1i32]] )
def main (xss: [][]i32) = map (\xs -> map (== xs) xss) xss
-- ---
[[true, true, false], [true, true, false], [false, false, true]]
