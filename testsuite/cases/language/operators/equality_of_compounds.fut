-- case: run ( 1i32 [1i32, 2i32] )
def main (x: i32) (xs: []i32) =
  ((x, xs) == (1, xs), (x, true) != (x, true), {a = x, b = (x, xs)} == {b = (x, xs), a = 2}, () == ())
-- ---
true
false
false
true
