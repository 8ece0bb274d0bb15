-- case: run ( 2i32 3i32 4i32 )
def main (a: i32) (b: i32) (c: i32) = (a + b * c, a * b + c, a - b - c, a * b ** c, c / b * a, c % b + a)
-- ---
14i32
10i32
-5i32
162i32
2i32
3i32
