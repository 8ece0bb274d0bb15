-- case: run ( [1i32, 2i32] 5i64 )
def main (xs: []i32) (i: i64) = i < length xs && xs[i] > 0
-- ---
false
