-- case: run ( [1i32, 2i32, 3i32] )
-- Modules: the sizes of a size-lifted abstract type are not known outside, those of its values are.
module type set = { type~ set val empty : () -> set val insert : i32 -> set -> set val sum : set -> i32 val size : set -> i64 }
module set : set = {
  type~ set = []i32
  def empty () : set = []
  def insert (x: i32) (s: set) : set = s ++ [x]
  def sum (s: set) = reduce (+) 0 s
  def size (s: set) = length s
}
module type fun = { type^ f val make : i32 -> f val call : f -> i32 -> i32 }
module fun : fun = { type^ f = i32 -> i32 def make (x: i32) = \(y: i32) -> x - y def call (f: f) x = f x }
def main (xs: []i32) =
  let s = set.insert 10 (set.insert 20 (set.empty ()))
  in (set.sum s, set.size s, fun.call (fun.make 5) xs[1])
-- ---
30i32
2i64
3i32
