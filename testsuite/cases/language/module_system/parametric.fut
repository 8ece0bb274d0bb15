-- case: run ( [1i32, 2i32, 3i32] [0.5f32, 0.25f32] )
-- Module bindings: a parametric module is applied to modules of primitive types and to structures.
module type monoid = { type t val zero : t val (+) : t -> t -> t }
module fold (m: monoid) = { def fold [n] (xs: [n]m.t) = reduce (m.+) m.zero xs }
module ints = fold { open i32 def zero = 0i32 }
module floats = fold { type t = f32 def zero = 1f32 def (+) = (f32.*) }
def main (xs: []i32) (ys: []f32) = (ints.fold xs, floats.fold ys)
-- ---
6i32
0.125f32
