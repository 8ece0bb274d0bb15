-- case: run ( [1i32, 2i32] 5i64 )
def main (xs: []i32) (i: i64) = if i < length xs then xs[i] else -1
-- ---
-1i32
