-- case: run ( [4f32] )
-- intrinsic as value
def main [n] (xs: [n]f32) = map f32.sqrt (map f32.abs xs)
-- ---
[2.0f32]
