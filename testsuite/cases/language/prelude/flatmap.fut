-- case: run ( [0i64, 2i64, 3i64, 0i64, 1i64] [5i32, 10i32, 20i32, 25i32, 30i32] )
-- Prelude, `flatmap`: sizes, flags, offsets, the elements in order, and the uniform results.
def main [n] (sizes: [n]i64) (xs: [n]i32) =
  flatmap (\(k, x) -> (map (\i -> x + i32.i64 i) (iota k), -x)) (zip sizes xs)
-- ---
[0i64, 2i64, 3i64, 0i64, 1i64]
[true, false, true, false, false, true]
[0i64, 0i64, 2i64, 5i64, 5i64]
[10i32, 11i32, 20i32, 21i32, 22i32, 30i32]
[-5i32, -10i32, -20i32, -25i32, -30i32]
