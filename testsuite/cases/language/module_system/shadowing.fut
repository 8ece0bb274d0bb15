-- case: run ( 2i32 )
-- Identifiers: values and modules share a name space, types have their own; later names hide earlier ones.
def x = 1i32
module m = { def x = 2i32 type x = bool module i32 = { def f = x } }
open m
type r = { m: { x: i32 } }
def main (y: i32) = let m = { x = 5i32 } in (m.x, x, (true : x), i32.f, y)
-- ---
5i32
2i32
true
2i32
2i32
