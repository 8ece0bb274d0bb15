-- case: run ( [[1i32, 5i32], [2i32, 2i32], [9i32, 0i32]] [[3i32, 3i32], [1i32, 1i32], [4i32, 4i32]] 3i64 )
-- Either branch gives a row of another parameter of the loop: both keep the sizes that they have at first.
def main [n][m] (xs: [n][m]i32) (vs: [n][m]i32) (k: i64) =
  loop (xs, vs) for _i < k do
    let (least, _) =
      unzip (map2 (\x v -> if x[0] < v[0] then (map (+ 1) x, true) else (v, false)) xs vs)
    in (vs, least)
-- ---
-- [[2i32, 6i32], [1i32, 1i32], [4i32, 4i32]]
-- [[2i32, 6i32], [1i32, 1i32], [4i32, 4i32]]
