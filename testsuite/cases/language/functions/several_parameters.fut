-- case: run ( 1i32 2f32 true )
def f (a: i32) (b: f32) (c: bool): (bool, f32, i32) = (c, b, a)
def main (a: i32) (b: f32) (c: bool) = f a b c
-- ---
true
2.0f32
1i32
