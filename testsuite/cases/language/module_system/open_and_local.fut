-- case: run ( 2i32 )
-- Declarations: `open` makes names usable and passes them on; `local` names are not passed on.
module a = { def f (x: i32) = x + 1 local def g (x: i32) = x * 10 def h x = g x }
module b = { open a def g (x: i32) = f (h x) }
local open b
def main (x: i32) = (f x, g x, b.h x)
-- ---
3i32
21i32
20i32
