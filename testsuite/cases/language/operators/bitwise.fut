-- case: run ( 12i32 10i32 )
def main (x: i32) (y: i32) = (x & y, x | y, x ^ y, !x, !0u8, x & -x)
-- ---
8i32
14i32
6i32
-13i32
255u8
4i32
