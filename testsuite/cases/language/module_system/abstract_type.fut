-- case: run ( 5i32 )
-- Module ascription: a type without a definition is abstract; what the module type lacks is hidden.
module type counter = { type t val zero : t val up : t -> t val value : t -> i32 }
module counter : counter = {
  type t = i32
  def zero = 0i32
  def step (x: t) = x + 1
  def up = step
  def value (x: t) = x * 10
}
def step = 7i32
def main (n: i32) = (counter.value (loop c = counter.zero for _i < n do counter.up c), step)
-- ---
50i32
7i32
