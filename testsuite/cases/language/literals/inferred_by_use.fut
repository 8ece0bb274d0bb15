-- case: run ( 1.5f32 2u8 )
-- A literal without suffix takes the type that its use asks for.
def main (x: f32) (y: u8) = (x * 2, y + 1, [1, 2i64, 3])
-- ---
3.0f32
3u8
[1i64, 2i64, 3i64]
