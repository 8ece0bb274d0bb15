-- case: run main ( 2i64 2i64 3i64 )
entry main (k: i64) (h: i64) (w: i64): [k * (h * w)]i64 =
  map (\i -> 100 * (i / (h * w)) + 10 * ((i / w) % h) + i % w) (iota (k * (h * w)))
-- ---
-- [0i64, 1i64, 2i64, 10i64, 11i64, 12i64, 100i64, 101i64, 102i64, 110i64, 111i64, 112i64]
