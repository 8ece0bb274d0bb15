-- Products of square matrices.
-- ==
-- entry: nest
-- notest random input { [1048576][1][1]f32 [1048576][1][1]f32 }
-- notest random input { [262144][2][2]f32 [262144][2][2]f32 }
-- notest random input { [116508][3][3]f32 [116508][3][3]f32 }
-- notest random input { [65536][4][4]f32 [65536][4][4]f32 }
-- notest random input { [29127][6][6]f32 [29127][6][6]f32 }
-- notest random input { [16384][8][8]f32 [16384][8][8]f32 }
-- notest random input { [4096][16][16]f32 [4096][16][16]f32 }
-- notest random input { [1024][32][32]f32 [1024][32][32]f32 }
-- nobench input { [[[1f32, 2f32], [3f32, 4f32]]] [[[1f32, 0f32], [1f32, 1f32]]] } output { [[[3f32, 2f32], [7f32, 4f32]]] }

entry nest [n] [m] (xsss: [n][m][m]f32) (ysss: [n][m][m]f32): [n][m][m]f32 =
  map2 (\xss yss -> map (\xs -> map (\ys -> f32.sum (map2 (*) xs ys)) (transpose yss)) xss) xsss ysss

-- The same with loops inside.
-- ==
-- entry: loops
-- notest random input { [1048576][1][1]f32 [1048576][1][1]f32 }
-- notest random input { [262144][2][2]f32 [262144][2][2]f32 }
-- notest random input { [116508][3][3]f32 [116508][3][3]f32 }
-- notest random input { [65536][4][4]f32 [65536][4][4]f32 }
-- notest random input { [29127][6][6]f32 [29127][6][6]f32 }
-- notest random input { [16384][8][8]f32 [16384][8][8]f32 }
-- notest random input { [4096][16][16]f32 [4096][16][16]f32 }
-- notest random input { [1024][32][32]f32 [1024][32][32]f32 }
-- nobench input { [[[1f32, 2f32], [3f32, 4f32]]] [[[1f32, 0f32], [1f32, 1f32]]] } output { [[[3f32, 2f32], [7f32, 4f32]]] }

entry loops [n] [m] (xsss: [n][m][m]f32) (ysss: [n][m][m]f32): [n][m][m]f32 =
  map2 (\xss yss ->
          loop zss = replicate m (replicate m 0) for i < m do
          loop zss for j < m do
          let z = loop z = 0 for k < m do z + xss[i, k] * yss[k, j]
          in zss with [i, j] = z) xsss ysss
