-- case: run ( 3i64 )
def f (n: i64) : ([]i64, [][]bool) = (iota (n + 1), replicate n [true])
def main (n: i64) = let (a, b) = f n in (a, length b)
-- ---
[0i64, 1i64, 2i64, 3i64]
3i64
