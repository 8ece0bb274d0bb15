-- A vector plus a multiple of another: as much memory and as little arithmetic as can be.
-- ==
-- notest random input { [40000000]f32 [40000000]f32 }
-- nobench input { [1f32, 2f32] [3f32, 4f32] } output { [10f32, 14f32] }

entry main [n] (a: [n]f32) (b: [n]f32): [n]f32 = map2 (\x y -> x + 3 * y) a b
