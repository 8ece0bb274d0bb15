-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
def main (xss: [][]i32) = let f [m] (xs: [m]i32) = i32.i64 m + i32.sum xs in map f xss
-- ---
[5i32, 9i32]
