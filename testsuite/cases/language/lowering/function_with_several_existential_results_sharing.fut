-- case: run ( 4i64 )
-- function with several existential results sharing size
def f (n: i64) : ?[k].([k]i64, [k]i64) = let xs = filter (> 1) (iota n) in (xs, map (* 2) xs)
def main (n: i64) = let (a, b) = f n in map2 (+) a b
-- ---
[6i64, 9i64]
