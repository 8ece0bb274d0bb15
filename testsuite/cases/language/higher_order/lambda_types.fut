-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = (map (\(x: i32): f32 -> f32.i32 x) xs, (\x y : i64 -> x + y) 1 2, map (\(x: i32, y): i32 -> x - y) (zip xs xs))
-- ---
[1.0f32, 2.0f32]
3i64
[0i32, 0i32]
