-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
def main (xss: [][]i32) = #[flattening(no_outer)] map (\xs -> #[sequential_inner] reduce (+) 0 xs) xss
-- ---
[3i32, 7i32]
