-- case: run ( 3i32 )
def main (n: i32) = (iterate n (* 2) 1i32, iterate_while (< 100) (* 3) 1i32, iterate_until (> 5) (+ 4) 0i32)
-- ---
8i32
243i32
8i32
