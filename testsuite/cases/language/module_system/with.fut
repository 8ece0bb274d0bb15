-- case: run ( 3i32 )
-- Module type expressions: `with` tells what abstract types are, in inner modules too.
module type s = { type t 'a val make 'a : a -> t a module inner: { type u val u : u } }
module m : s with t 'a = (a, a) with inner.u = i32 = {
  type t 'a = (a, a)
  def make 'a (x: a) : (a, a) = (x, x)
  module inner = { type u = i32 def u = 7i32 }
}
def main (x: i32) = ((m.make x).0 + 1, m.inner.u + x)
-- ---
4i32
10i32
