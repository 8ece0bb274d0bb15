-- case: run ( [[1i32, 2i32]] )
-- anonymous dims
def main (xs: [][]i32) = map (reduce (+) 0) xs
-- ---
[3i32]
