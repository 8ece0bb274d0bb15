-- case: run ( [3i64, 1i64, 4i64] )
-- An inner match on a sum with an array of unknown size.
type~ t = #a ([]i64) | #b i64
def g (n: i64): t = if n > 2 then #a (iota n) else #b n
def main (xs: []i64) = map (\n -> match g n case #a ys -> length ys case #b k -> k) xs
-- ---
[3i64, 1i64, 4i64]
