-- case: run ( 2i64 0i64 )
def main (n: i64) (z: i64) = (replicate n 1f32, replicate n [1i32, 2], replicate z true, replicate n (replicate z 1u8), rep 5i8 : [3]i8)
-- ---
[1.0f32, 1.0f32]
[[1i32, 2i32], [1i32, 2i32]]
empty([0]bool)
empty([2][0]u8)
[5i8, 5i8, 5i8]
