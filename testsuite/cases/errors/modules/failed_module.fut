-- case: check
module m = { def f (x: i32) = x + true def g = y }
module n = unknown
open n
def main = m.f 1 + m.g + n.z + something
-- ---
-- E0204 2:35 expected i32, found bool
--   this is bool
--   2:33 expected i32 as argument 2 of this
-- E0201 2:48 unknown name `y`
--   not defined here
-- E0203 3:12 no module or record `unknown` is in scope
