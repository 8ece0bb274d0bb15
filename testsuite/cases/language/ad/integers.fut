-- case: run ( 2000000000i32 2i32 )
-- Integers are differentiated by the same rules, in their own arithmetic.
def main (x: i32) (y: i32) = (vjp (\x -> x * y) x y, jvp (\x -> x * x) x 1, vjp (\(x: i32) -> i64.i32 x * 3) x 5)
-- ---
4i32
-294967296i32
15i32
