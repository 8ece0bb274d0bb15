-- case: run ( [1i32, 2i32] [1.5f32, 2.5f32] [true, false] )
def main [n] (xs: [n]i32) (ys: [n]f32) (bs: [n]bool) = map3 (\x y b -> if b then f32.i32 x + y else y) xs ys bs
-- ---
[2.5f32, 2.5f32]
