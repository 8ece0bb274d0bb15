-- case: run main ( 10i64 -1i64 0i32 )
-- A loop without a round, in which the number of cells would be none: nothing is sorted in front of it.
entry main (n: i64) (k: i64) (times: i32) =
  loop s = 0f16 for t < times do
    let h = reduce_by_index (replicate k s) (+) 0 (map (% 5) (iota n)) (map f16.i64 (iota n))
    in s + h[0]
-- ---
-- 0.0f16
