-- case: check
type t = i32
type t = f32
def main (x: t) = x
-- ---
-- E0211 3:6 `t` is defined twice
--   2:6 first defined here
