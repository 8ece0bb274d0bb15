-- case: run ( [1i32, 2i32, 3i32] )
-- Module type expressions: abstract types with size parameters; the size of an argument is that of its array.
module type vector = { type v [n] 'a val from [n] 'a : [n]a -> v [n] a val to [n] 'a : v [n] a -> [n]a }
module vector : vector = {
  type v [n] 'a = { elems: [n]a }
  def from elems = { elems }
  def to [n] 'a (v: v [n] a): [n]a = v.elems
}
def size [n] (_: vector.v [n] i32) = n
def main [n] (xs: [n]i32) = let v = vector.from xs in (size v, map (* 2) (vector.to v) :> [n]i32)
-- ---
3i64
[2i32, 4i32, 6i32]
