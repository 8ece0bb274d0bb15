-- case: run ( 5i64 )
def main (n: i64) = let f = (let s = i64.sum (iota n) in \x -> x + s) in map f (iota n)
-- ---
[10i64, 11i64, 12i64, 13i64, 14i64]
