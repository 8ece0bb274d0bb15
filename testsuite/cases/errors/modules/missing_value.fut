-- case: check
module m : { val x : i32 val y : i32 } = { def x = 1i32 }
def main = m.y + m.x
-- ---
E0230 2:42 the module has no value `y`, which its module type asks for
  2:30 asked for here
