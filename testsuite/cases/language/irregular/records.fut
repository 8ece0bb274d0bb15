-- case: run ( [3i64, 1i64] )
-- Inner arrays of records of arrays.
def main (xs: []i64) = map (\k ->
  let rs = map (\i -> {a = replicate k i, b = i}) (iota k)
  let ss = filter (\r -> r.b >= 0) rs
  in i64.sum (map (\r -> i64.sum r.a) ss) - (if k == 3 then 3 else -1)) xs
-- ---
[6i64, 1i64]
