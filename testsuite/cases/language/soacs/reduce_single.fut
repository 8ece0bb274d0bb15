-- case: run ( [5i32] )
def main (xs: []i32) = (reduce (+) 0 xs, reduce i32.min i32.highest xs)
-- ---
5i32
5i32
