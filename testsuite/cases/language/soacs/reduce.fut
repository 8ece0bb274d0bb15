-- case: run ( [3i32, 1i32, 2i32] )
def main (xs: []i32) = (reduce (+) 0 xs, reduce i32.max i32.lowest xs, reduce (\a b -> a ^ b) 0 xs, reduce (*) 1 xs + 10)
-- ---
6i32
3i32
0i32
16i32
