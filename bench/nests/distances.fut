-- The sum of the distances of the elements of each row from one another.
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
-- nobench input { [[1f32, 2f32, 4f32], [0f32, -1f32, 3f32]] } output { [12f32, 16f32] }

entry nest [n] [m] (xss: [n][m]f32): [n]f32 =
  map (\xs -> f32.sum (map (\x -> f32.sum (map (\y -> f32.abs (x - y)) xs)) xs)) xss

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
-- nobench input { [[1f32, 2f32, 4f32], [0f32, -1f32, 3f32]] } output { [12f32, 16f32] }

entry loops [n] [m] (xss: [n][m]f32): [n]f32 =
  map (\xs -> loop s = 0 for i < m do s + (loop t = 0 for j < m do t + f32.abs (xs[i] - xs[j]))) xss
