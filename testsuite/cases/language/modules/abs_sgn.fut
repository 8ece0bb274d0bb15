-- case: run ( [-5i32, 0i32, 7i32] [-2.5f32, 0f32, 3f32] )
def main [n] (xs: [n]i32) (ys: [n]f32) = (map i32.abs xs, map i32.sgn xs, map f32.abs ys, map f32.sgn ys)
-- ---
[5i32, 0i32, 7i32]
[-1i32, 0i32, 1i32]
[2.5f32, 0.0f32, 3.0f32]
[-1.0f32, 0.0f32, 1.0f32]
