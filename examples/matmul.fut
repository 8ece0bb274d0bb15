-- Matrix product.
--
--   echo '[[1f32, 2f32], [3f32, 4f32]] [[5f32], [6f32]]' | fun run examples/matmul.fut
-- ==
-- input { [[1f32, 2f32], [3f32, 4f32]] [[5f32], [6f32]] }
-- output { [[17f32], [39f32]] }
-- input { empty([0][3]f32) [[1f32], [2f32], [3f32]] }
-- output { empty([0][1]f32) }

def main [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32): [n][p]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a
