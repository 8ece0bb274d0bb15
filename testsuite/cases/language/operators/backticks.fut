-- case: run ( 3i32 4i32 )
def hyp (x: i32) (y: i32) = x * x + y * y
def main (x: i32) (y: i32) = (x `hyp` y, x `i32.max` y, x + 1 `hyp` y)
-- ---
25i32
4i32
32i32
