-- case: run ( [1i32, 2i32] )
def set (xs: *[]i32) (i: i64) (x: i32) : *[]i32 = xs with [i] = x
def main (xs: []i32) = let ys = set (copy xs) 0 7 in set (set ys 1 8) 0 (xs[0] * 10)
-- ---
[10i32, 8i32]
