-- case: run ( false 4i32 )
-- if selecting between partial application arguments
def main (b: bool) (x: i32) = (if b then (+ 1) x else (* 2) x)
-- ---
8i32
