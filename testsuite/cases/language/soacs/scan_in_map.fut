-- case: run ( [[3i32, 1i32, 2i32], [1i32, 1i32, 1i32]] )
def main (xss: [][]i32) = map (\xs -> let s = scan (+) 0 xs in map2 (-) s xs) xss
-- ---
[[0i32, 3i32, 4i32], [0i32, 1i32, 2i32]]
