-- case: run ( [4i32, 9i32, 2i32] )
def main (xs: []i32) = (reduce_comm (+) 0 xs, reduce_comm i32.min i32.highest xs, reduce_comm (\a b -> a | b) 0 xs)
-- ---
15i32
2i32
15i32
