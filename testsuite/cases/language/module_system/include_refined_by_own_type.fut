-- case: run ( 3i32 4f64 )
-- Language reference, "Module types": an included module type is refined to a type of the one that includes it, which is
-- refined itself.
module type box = {
  type elem
  type box
  val put : elem -> box
  val get : box -> elem
}
module type pair_box = {
  type elem
  include box with elem = elem with box = {only: elem}
  val both : elem -> elem -> (box, box)
}
module boxes (T: {type t}) : pair_box with elem = T.t = {
  type elem = T.t
  type box = {only: elem}
  def put (x: elem) : box = {only = x}
  def get (b: box) = b.only
  def both a b = (put a, put b)
}
module ints = boxes {type t = i32}
module floats : pair_box with elem = f64 = boxes {type t = f64}
def main (x: i32) (y: f64) = (ints.get (ints.both x 1).0, (ints.put x).only + 1, floats.get (floats.put y))
-- ---
3i32
4i32
4.0f64
