-- case: run ( 3i32 )
#[inline] def f (x: i32) = x + 1
#[noinline]
def g (x: i32) = f x * 2
def main (x: i32) = g x
-- ---
8i32
