-- case: check
module f (p: { val x : i32 }) = { def y = p.x }
module a = f i32 { def x = 1i32 }
def z = f.y
open f
module g : { val y : i32 } = f
-- ---
-- E0230 3:14 the module has no value `x`, which its module type asks for
--   2:20 asked for here
-- E0232 4:9 the module `f` has parameters: only its results have members
--   apply it: `module m = f (argument)`
-- E0232 5:6 a parametric module cannot be opened
--   apply it to an argument
-- E0232 6:30 this module has parameters, which its module type does not say
--   6:12 the module type
