-- case: run main ( 0i64 5i64 )
-- No cells: no key has a bit.
entry main (k: i64) (n: i64) =
  (reduce_by_index (replicate k 0f16) (+) 0 (map (% 3) (iota n)) (map f16.i64 (iota n)),
   reduce_by_index (replicate 1 0f16) (+) 0 (map (% 3) (iota n)) (map f16.i64 (iota n)))
-- ---
-- empty([0]f16)
-- [3.0f16]
