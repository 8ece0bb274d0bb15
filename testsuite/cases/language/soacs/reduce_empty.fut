-- case: run ( empty([0]i32) )
def main (xs: []i32) = (reduce (+) 0 xs, reduce_comm (*) 1 xs, reduce (&&) true (map (> 0) xs), reduce i32.min 7 (map (i32.max 7) xs))
-- ---
0i32
1i32
true
7i32
