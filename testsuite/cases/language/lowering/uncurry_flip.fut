-- case: run ( 5i32 )
-- uncurry & flip
def main (x: i32) = (uncurry (-) (x, 1), flip (-) x 1, curry (\(a, b) -> a * b) x 3)
-- ---
4i32
-4i32
15i32
