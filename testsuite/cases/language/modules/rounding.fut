-- case: run ( [2.5f32, -2.5f32, 3.5f32, 2.4f32, -0.5f32, 7f32] )
-- `round` takes the even neighbour of a half; what rounds to zero keeps its sign.
def main [n] (xs: [n]f32) = (map f32.floor xs, map f32.ceil xs, map f32.trunc xs, map f32.round xs)
-- ---
[2.0f32, -3.0f32, 3.0f32, 2.0f32, -1.0f32, 7.0f32]
[3.0f32, -2.0f32, 4.0f32, 3.0f32, -0.0f32, 7.0f32]
[2.0f32, -2.0f32, 3.0f32, 2.0f32, -0.0f32, 7.0f32]
[2.0f32, -2.0f32, 4.0f32, 2.0f32, -0.0f32, 7.0f32]
