-- case: run ( [[1i32, 2i32], [5i32, 6i32], [3i32, 4i32]] )
def main (xss: [][]i32) = (filter (\xs -> xs[0] > 2) xss, filter (\xs -> xs[0] > 9) xss)
-- ---
[[5i32, 6i32], [3i32, 4i32]]
empty([0][2]i32)
