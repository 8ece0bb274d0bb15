-- Heat in a block, ten steps: each inner cell becomes a mean of itself and its six neighbours.
-- ==
-- notest random input { [128][128][128]f32 }
-- nobench input { [[[1f32, 2f32, 3f32], [4f32, 5f32, 6f32], [7f32, 8f32, 9f32]], [[1f32, 2f32, 3f32], [4f32, 50f32, 6f32], [7f32, 8f32, 9f32]], [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32], [7f32, 8f32, 9f32]]] }
-- output { [[[1f32, 2f32, 3f32], [4f32, 5f32, 6f32], [7f32, 8f32, 9f32]], [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32], [7f32, 8f32, 9f32]], [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32], [7f32, 8f32, 9f32]]] }

entry main [d][h][w] (block: [d][h][w]f32): [d][h][w]f32 =
  let step x = tabulate_3d d h w (\i j k ->
    if i == 0 || i == d - 1 || j == 0 || j == h - 1 || k == 0 || k == w - 1
    then x[i, j, k]
    else 0.15 * (x[i - 1, j, k] + x[i + 1, j, k] + x[i, j - 1, k] + x[i, j + 1, k] + x[i, j, k - 1] + x[i, j, k + 1])
         + 0.1 * x[i, j, k])
  in iterate 10 step block
