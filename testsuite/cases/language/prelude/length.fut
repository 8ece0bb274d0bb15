-- case: run ( [1i32, 2i32, 3i32] empty([2][0]f32) )
def main (xs: []i32) (xss: [][]f32) = (length xs, length xss, length (head xss), length "", length (zip xs xs))
-- ---
3i64
2i64
0i64
0i64
3i64
