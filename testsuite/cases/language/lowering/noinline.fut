-- case: run ( [4i32] )
-- noinline
#[noinline] def f (x: i32) = x + 1
def main [n] (x: [n]i32) = map f x
-- ---
[5i32]
