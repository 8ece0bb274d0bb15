-- case: run ( -128i8 )
def main (x: i8) = (i8.abs x, -x, i8.neg x, i32.neg 5)
-- ---
-128i8
-128i8
-128i8
-5i32
