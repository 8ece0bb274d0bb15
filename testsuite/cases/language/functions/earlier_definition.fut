-- case: run ( [7i64, 5i64] )
-- A function that could not call itself means by its own name what was defined before.
module narrow = {
  def indices [n] 't (xs: [n]t) = map i32.i64 (indices xs)
  def sum (xs: []i32) : i64 = 10 + i64.sum (map i64.i32 xs)
}
def twice (x: i64) = x * 2
module pairs = {
  def twice (x: i64, y: i64) = (twice x, twice y)
}
def main (xs: []i64) = (narrow.indices xs, narrow.sum (narrow.indices xs), pairs.twice (xs[0], xs[1]))
-- ---
[0i32, 1i32]
11i64
14i64
10i64
