-- case: run ( [1i32, 2i32, 3i32] )
def main (xs: []i32) = (map (\x -> x * x) xs, map f32.i32 xs, map (const true) xs)
-- ---
[1i32, 4i32, 9i32]
[1.0f32, 2.0f32, 3.0f32]
[true, true, true]
