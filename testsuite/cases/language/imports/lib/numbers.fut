-- case: check
-- An imported file: its entry points are functions like others elsewhere.
import "more/deep"
entry double (x: i32) = x + x
def main (x: i32) = quadruple x
module type has_f = { val f : i32 -> i32 }
module inc = { def f (x: i32) = x + 1 }
local def hidden = 1i32
-- ---
-- ok
