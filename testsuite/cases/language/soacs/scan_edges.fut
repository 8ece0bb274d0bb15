-- case: run ( empty([0]i32) [7i32] )
def main (xs: []i32) (ys: []i32) = (scan (+) 0 xs, scan (+) 0 ys, scan (+) 0 (map (+ 1) xs))
-- ---
empty([0]i32)
[7i32]
empty([0]i32)
