-- case: run ( [3i32, 1i32, 2i32] )
def main (xs: []i32) = (scan (+) 0 xs, scan i32.max i32.lowest xs, scan (*) 1 xs)
-- ---
[3i32, 4i32, 6i32]
[3i32, 3i32, 3i32]
[3i32, 3i32, 6i32]
