-- case: run ( 2i32 )
-- Module bindings: names of a module with the module in front, in nested ones too.
module m = {
  def f (x: i32) = x + 1
  def add (x: i32) (y: i32) = 10 * x + y
  def (+^) (x: i32) (y: i32) = 100 * x + y
  type t = i32
  module n = { def g (x: t): t = f (f x) }
}
def main (x: m.t) = (m.f x, m.n.g x, x `m.add` 1, x m.+^ 1, m.(f x +^ 2))
-- ---
3i32
4i32
21i32
201i32
302i32
