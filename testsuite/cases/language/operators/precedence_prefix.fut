-- case: run ( 3i32 )
def f (x: i32) = x + 1
def main (x: i32) = (-x ** 2, -f x, -x + 1, !x & 1, 2 - -x)
-- ---
9i32
-4i32
-2i32
0i32
5i32
