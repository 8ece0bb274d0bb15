-- The sum of 2 exp x + 1 over a vector: an elementary function where a reduction reads it.
-- ==
-- notest random input { [10000000]f32 }
-- nobench input { [0f32, 1f32, -1f32] } output { 11.17232254f32 }

def transform (x: f32): f32 = 2 * f32.exp x + 1

entry main [n] (a: [n]f32): f32 =
  reduce (+) 0 (map transform a)
