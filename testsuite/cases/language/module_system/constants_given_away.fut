-- case: run ( 1i32 )
-- A parametric module may give away a value of its parameter, though it may be a constant; an update does not change that.
module type S = { type t val zero : t val set : *t -> i32 -> *t val get : t -> i32 }
module m : S = {
  type t = [3]i32
  def zero = replicate 3 0i32
  def set (x: *t) (i: i32) : *t = x with [0] = i
  def get (x: t) = x[0]
}
module f (P: S) = { def init (x: i32) = (x, P.zero) }
module g = f m
def main (x: i32) = let z = (g.init x).1 in let r = m.set z 5 in (m.get r, m.get m.zero)
-- ---
5i32
0i32
