-- case: run ( [1i32] [2f32] )
-- map with captured function from outer polymorphic
def mapt 'a 'b [n] (f: a -> b) (xs: [n]a): *[n]b = map f xs def main [n] (xs: [n](i32, f32)) = mapt (\(a, b) -> (b, a)) xs
-- ---
[2.0f32]
[1i32]
