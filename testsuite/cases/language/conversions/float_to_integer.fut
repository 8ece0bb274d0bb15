-- case: run ( [2.9f32, -2.9f32, 0.5f32, -0.5f32] )
def main [n] (xs: [n]f32) = (map i32.f32 xs, map i8.f32 xs, map i64.f32 xs)
-- ---
[2i32, -2i32, 0i32, 0i32]
[2i8, -2i8, 0i8, 0i8]
[2i64, -2i64, 0i64, 0i64]
