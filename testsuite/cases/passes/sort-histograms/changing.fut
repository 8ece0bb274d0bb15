-- case: run main ( 6i64 3i32 )
-- Indices that change with each round are sorted in it, and so are those whose reads may fail: the loop may have no round.
entry main (n: i64) (times: i32) =
  let vs = map f16.i64 (iota n)
  in loop sums = replicate 4 0f16 for t < times do
    reduce_by_index (reduce_by_index sums (+) 0 (map (\i -> (i + i64.i32 t) % 5) (iota n)) vs)
      (+) 0 (map (\i -> (iota n)[(i * 3 + 1) % n] / 2) (iota n)) vs
-- ---
-- [30.0f16, 10.0f16, 35.0f16, 6.0f16]
