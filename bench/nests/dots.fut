-- Dot products of rows.
-- ==
-- entry: nest
-- notest random input { [1048576][1]f32 [1048576][1]f32 }
-- notest random input { [524288][2]f32 [524288][2]f32 }
-- notest random input { [349525][3]f32 [349525][3]f32 }
-- notest random input { [262144][4]f32 [262144][4]f32 }
-- notest random input { [174762][6]f32 [174762][6]f32 }
-- notest random input { [131072][8]f32 [131072][8]f32 }
-- notest random input { [65536][16]f32 [65536][16]f32 }
-- notest random input { [32768][32]f32 [32768][32]f32 }
-- nobench input { [[1f32, 2f32, 4f32], [0f32, -1f32, 3f32]] [[1f32, 1f32, 2f32], [5f32, 2f32, 1f32]] } output { [11f32, 1f32] }

entry nest [n] [m] (xss: [n][m]f32) (yss: [n][m]f32): [n]f32 =
  map2 (\xs ys -> f32.sum (map2 (*) xs ys)) xss yss

-- The same with loops inside.
-- ==
-- entry: loops
-- notest random input { [1048576][1]f32 [1048576][1]f32 }
-- notest random input { [524288][2]f32 [524288][2]f32 }
-- notest random input { [349525][3]f32 [349525][3]f32 }
-- notest random input { [262144][4]f32 [262144][4]f32 }
-- notest random input { [174762][6]f32 [174762][6]f32 }
-- notest random input { [131072][8]f32 [131072][8]f32 }
-- notest random input { [65536][16]f32 [65536][16]f32 }
-- notest random input { [32768][32]f32 [32768][32]f32 }
-- nobench input { [[1f32, 2f32, 4f32], [0f32, -1f32, 3f32]] [[1f32, 1f32, 2f32], [5f32, 2f32, 1f32]] } output { [11f32, 1f32] }

entry loops [n] [m] (xss: [n][m]f32) (yss: [n][m]f32): [n]f32 =
  map2 (\xs ys -> loop s = 0 for i < m do s + xs[i] * ys[i]) xss yss
