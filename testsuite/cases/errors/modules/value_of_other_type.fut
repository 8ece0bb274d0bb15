-- case: check
module m (p: { val x : i32 }) = { def y = p.x }
module n = m { def x = 1f32 }
-- ---
E0231 3:14 the value `x` of the module has the type f32, but its module type asks for i32
  2:20 asked for here
