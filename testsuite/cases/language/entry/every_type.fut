-- case: run ( 1i8 2i16 3i32 4i64 5u8 6u16 7u32 8u64 1.5f16 2.5f32 3.5f64 true )
entry main (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (i: f16) (j: f32) (k: f64) (l: bool) =
  (l, k, j, i, h, g, f, e, d, c, b, a)
-- ---
true
3.5f64
2.5f32
1.5f16
8u64
7u32
6u16
5u8
4i64
3i32
2i16
1i8
