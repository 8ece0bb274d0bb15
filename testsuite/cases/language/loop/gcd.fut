-- case: run ( 84i32 36i32 )
def main (a: i32) (b: i32) = (loop (a, b) while b != 0 do (b, a % b)).0
-- ---
12i32
