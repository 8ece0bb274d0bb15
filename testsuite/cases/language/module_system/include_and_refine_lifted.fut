-- case: run ( [1i32, 2i32] )
-- Module type expressions: `include`, also of refined types; a type may be refined to a lifted one.
module type has_t = { type t val f : t -> t }
module type both = { include has_t with t = i32 type~ u val g : u -> i32 }
module m : both with u = ?[k].[k]i32 = {
  type t = i32
  type~ u = []i32
  def f (x: t) = x + 1
  def g (xs: u) = i32.sum xs
}
def main (xs: []i32) = (m.f xs[0], m.g xs)
-- ---
2i32
3i32
