-- case: check
module m : { type t val x : t } = { type t = i32 def x = 1i32 }
def main = m.x + 1
-- ---
-- E0209 3:12 expected a number, found m.t
--   3:16 argument 1 of this
