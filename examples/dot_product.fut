-- Dot product.
--
--   echo '[1f64, 2f64, 3f64] [4f64, 5f64, 6f64]' | fun run examples/dot_product.fut
-- ==
-- input { [1f64, 2f64, 3f64] [4f64, 5f64, 6f64] }
-- output { 32f64 }
-- input { empty([0]f64) empty([0]f64) }
-- output { 0f64 }

def main [n] (x: [n]f64) (y: [n]f64): f64 = reduce (+) 0 (map2 (*) x y)
