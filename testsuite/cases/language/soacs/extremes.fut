-- case: run ( [f64.inf, f64.nan, 3.0f64, -0.0f64, 0.0f64, -0.0f64, 3.0f64] [5i32, 2i32, 1i32, 2i32, 1i32, 5i32, 2i32] )
-- The first and the last of the least and greatest elements with their places; places of neutral elements above and below those of elements, and what is no number.
def first [n] 't (less: t -> t -> bool) (none: (t, i64)) (xs: [n]t) =
  reduce (\(a, i) (b, j) -> if less b a then (b, j) else (a, i)) none (zip xs (iota n))
def last [n] 't (less: t -> t -> bool) (none: (t, i64)) (xs: [n]t) =
  reduce (\(a, i) (b, j) -> if less a b then (a, i) else (b, j)) none (zip xs (iota n))
def main [n] (xs: [n]f64) (ks: [n]i32) =
  let (floats, float_places) =
    unzip [first (<) (f64.inf, n) xs, first (<) (f64.inf, -1) xs, first (>) (-f64.inf, -1) xs]
  let (ints, int_places) =
    unzip [first (<) (i32.highest, i64.highest) ks, first (<) (i32.highest, 100) ks, first (>) (i32.lowest, -1) ks,
           first (<) (i32.highest, 0) ks, last (<) (i32.highest, -1) ks, last (>) (i32.lowest, -1) ks]
  in (floats, float_places, ints, int_places)
-- ---
-- [-0.0f64, -0.0f64, f64.inf]
-- [3i64, 3i64, 0i64]
-- [1i32, 1i32, 5i32, 1i32, 1i32, 5i32]
-- [2i64, 2i64, 0i64, 2i64, 4i64, 5i64]
