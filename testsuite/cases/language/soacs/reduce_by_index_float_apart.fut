-- case: run main ( 8i64 30i64 )
-- Values that differ by many powers of two, in cells that get more than one kind of them.
entry main (k: i64) (n: i64) =
  let value i = if i % 3 == 0 then 1048576f32 else if i % 3 == 1 then 0.5 else -1048576f32
  in reduce_by_index (replicate k 0f32) (+) 0 (map (\i -> i / 3 % k) (iota n)) (map value (iota n))
-- ---
-- [1.0f32, 1.0f32, 0.5f32, 0.5f32, 0.5f32, 0.5f32, 0.5f32, 0.5f32]
