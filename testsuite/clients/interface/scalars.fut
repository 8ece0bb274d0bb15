-- | Adds one.
entry inc (x: i32) : i32 = x + 1
entry every (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (i: f16) (j: f32) (k: f64) (l: bool) : f64 =
  f64.i8 a + f64.i16 b + f64.i32 c + f64.i64 d + f64.u8 e + f64.u16 f + f64.u32 g + f64.u64 h + f64.f16 i + f64.f32 j + k + f64.bool l
entry nothing (x: ()) : () = x
entry main = 3i32
