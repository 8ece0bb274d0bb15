-- case: run main ( 5i64 1000000i64 )
-- Places beside a point, near and far, that begin again behind the last one; the farthest is no place.
entry main (n: i64) (far: i64) =
  let at f = map (\i -> f i % n) (iota n)
  in (at (+ 1), at (\i -> i - 1), at (\i -> i + n - 1), at (+ 2), at (\i -> i - 3), at (+ 7), at (\i -> i + n - 9), at (+ far),
      at (\i -> i - i64.lowest), at (\i -> i + i64.lowest), at (\i -> i + n + 1))
-- ---
-- [1i64, 2i64, 3i64, 4i64, 0i64]
-- [4i64, 0i64, 1i64, 2i64, 3i64]
-- [4i64, 0i64, 1i64, 2i64, 3i64]
-- [2i64, 3i64, 4i64, 0i64, 1i64]
-- [2i64, 3i64, 4i64, 0i64, 1i64]
-- [2i64, 3i64, 4i64, 0i64, 1i64]
-- [1i64, 2i64, 3i64, 4i64, 0i64]
-- [0i64, 1i64, 2i64, 3i64, 4i64]
-- [2i64, 3i64, 4i64, 0i64, 1i64]
-- [2i64, 3i64, 4i64, 0i64, 1i64]
-- [1i64, 2i64, 3i64, 4i64, 0i64]
