-- case: run ( [3i32, 1i32, 4i32, 1i32, 5i32, 9i32, 2i32, 6i32] [2i32, 7i32, 1i32, 8i32, 2i32, 8i32, 1i32, 8i32] )
-- What is made of each sum is computed where the sum is: beside an array, with the sums as a result, of two sums, and of each row.
def main [n] (xs: [n]i32) (ys: [n]i32) =
  let sums = scan (+) 0 xs
  let pairs = scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs ys)
  in (map2 (-) sums xs, map (\s -> f64.i32 s / 2) sums, sums, map (\(a, b) -> a ^ b) pairs,
      map (\row -> map2 (\s i -> s * i32.i64 i) (scan (+) 0 row) (indices row)) (unflatten (sized (2 * 4) xs)))
-- ---
-- [0i32, 3i32, 4i32, 8i32, 9i32, 14i32, 23i32, 25i32]
-- [1.5f64, 2.0f64, 4.0f64, 4.5f64, 7.0f64, 11.5f64, 12.5f64, 15.5f64]
-- [3i32, 4i32, 8i32, 9i32, 14i32, 23i32, 25i32, 31i32]
-- [1i32, 10i32, 41i32, 33i32, 223i32, 2591i32, 5183i32, 31074i32]
-- [[0i32, 4i32, 16i32, 27i32], [0i32, 14i32, 32i32, 66i32]]
