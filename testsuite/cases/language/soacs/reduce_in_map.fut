-- case: run ( [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] )
def main (xss: [][]i32) = (map (reduce (+) 0) xss, map i32.maximum xss, map (\xs -> reduce (*) 1 xs + xs[0]) xss)
-- ---
[6i32, 15i32]
[3i32, 6i32]
[7i32, 124i32]
