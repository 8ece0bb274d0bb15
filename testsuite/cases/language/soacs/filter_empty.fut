-- case: run ( empty([0]i32) )
def main (xs: []i32) = (filter (> 0) xs, i32.sum (filter (> 0) xs))
-- ---
empty([0]i32)
0i32
