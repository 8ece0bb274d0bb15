-- case: run ( 5i32 )
def main (x: i32) = (if x > 3 then 1 else 2, if x > 7 then 1 else 2i8)
-- ---
1i32
2i8
