-- An array between two reductions, of the size of the one before, whose block it takes.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1f32, 2f32, 3f32] } output { [-0.8461538f32, -0.15384611f32, 1.0f32] }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] (xs: [n]f32): [n]f32 =
  let a = map (\x -> x * x) xs
  let mean = f32.sum a / f32.i64 n
  let b = map (\x -> x - mean) a
  let most = f32.maximum b
  in map (/ most) b
