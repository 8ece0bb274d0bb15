-- case: run ( -1i32 )
def main (x: i32) = u8.i32 x |> i64.u8 |> f32.i64 |> i32.f32 |> i8.i32
-- ---
-1i8
