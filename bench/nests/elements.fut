-- A linear function of each element.
-- ==
-- entry: nest
-- notest random input { [1048576][1]f32 }
-- notest random input { [524288][2]f32 }
-- notest random input { [349525][3]f32 }
-- notest random input { [262144][4]f32 }
-- notest random input { [174762][6]f32 }
-- notest random input { [131072][8]f32 }
-- notest random input { [65536][16]f32 }
-- notest random input { [32768][32]f32 }
-- nobench input { [[1f32, 2f32, 4f32], [0f32, -1f32, 3f32]] } output { [[3f32, 5f32, 9f32], [1f32, -1f32, 7f32]] }

entry nest [n] [m] (xss: [n][m]f32): [n][m]f32 = map (map (\x -> x * 2 + 1)) xss

-- The same with loops inside.
-- ==
-- entry: loops
-- notest random input { [1048576][1]f32 }
-- notest random input { [524288][2]f32 }
-- notest random input { [349525][3]f32 }
-- notest random input { [262144][4]f32 }
-- notest random input { [174762][6]f32 }
-- notest random input { [131072][8]f32 }
-- notest random input { [65536][16]f32 }
-- notest random input { [32768][32]f32 }
-- nobench input { [[1f32, 2f32, 4f32], [0f32, -1f32, 3f32]] } output { [[3f32, 5f32, 9f32], [1f32, -1f32, 7f32]] }

entry loops [n] [m] (xss: [n][m]f32): [n][m]f32 =
  map (\xs -> loop ys = replicate m 0 for i < m do ys with [i] = xs[i] * 2 + 1) xss
