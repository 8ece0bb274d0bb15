-- case: run ( [3i64, 1i64, 4i64] )
-- Inner reduce_by_index and partition.
def main (xs: []i64) = 
  let hist n = reduce_by_index (replicate n 0) (+) 0 (iota n) (replicate n 1)
  in (map (\n -> i64.sum (hist n)) xs, map (\n -> let (a, b) = partition (> 1) (iota n) in length a + length b) xs)
-- ---
[3i64, 1i64, 4i64]
[3i64, 1i64, 4i64]
