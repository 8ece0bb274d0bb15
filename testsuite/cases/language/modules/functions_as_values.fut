-- case: run ( [4f32, 9f32] )
def main (xs: []f32) = (map f32.sqrt xs, reduce f32.max f32.lowest xs, map2 f32.atan2 xs (map f32.neg xs) |> map (> 2), map (f32.i32 >-> f32.sqrt) [16])
-- ---
[2.0f32, 3.0f32]
9.0f32
[true, true]
[4.0f32]
