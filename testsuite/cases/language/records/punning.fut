-- case: run ( 1i32 2f32 )
def main (a: i32) (b: f32) = let r = {a, b, c = a + 1} let {a = z, b, c} = r in (z, b, c)
-- ---
1i32
2.0f32
2i32
