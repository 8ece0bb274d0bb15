-- case: run ( 5i64 )
-- Language reference, "Recursive functions": a function is in scope of itself, also where its name was defined before.
def count (_: i64) : i64 = 100
module m = {
  def count (n: i64) : i64 = if n == 0 then 0 else 1 + count (n - 1)
}
def main (n: i64) = (count n, m.count n)
-- ---
100i64
5i64
