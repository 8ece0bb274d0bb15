-- case: run ( 4i32 )
-- inline attr
#[inline] def f (x: i32) = x + 1
def main (x: i32) = f (f x)
-- ---
6i32
