-- The dot product of two vectors.
-- ==
-- notest random input { [10000000]f32 [10000000]f32 }
-- nobench input { [1f32, 2f32, 3f32] [4f32, 5f32, 6f32] } output { 32f32 }
-- nobench input { empty([0]f32) empty([0]f32) } output { 0f32 }

entry main [n] (a: [n]f32) (b: [n]f32): f32 =
  reduce (+) 0 (map2 (*) a b)
