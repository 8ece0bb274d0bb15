-- case: run ( 7i32 2i32 )
def main (x: i32) (y: i32) = (x i32.+ y, i32.(x * y - 1), i32.(highest - lowest))
-- ---
9i32
13i32
-1i32
