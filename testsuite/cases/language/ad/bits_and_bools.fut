-- case: run ( 2.0f32 true )
-- What has no derivative has none; bits and bools keep their tangents.
def main (x: f32) (b: bool) =
  ( jvp (\x -> f32.isnan x) x 1
  , jvp (\x -> u32.popc (f32.to_bits x)) x 1
  , jvp f32.to_bits x 1 == f32.to_bits 1
  , jvp (\b -> !b) b true
  , vjp f32.floor x 1
  )
-- ---
false
0i32
true
true
0.0f32
