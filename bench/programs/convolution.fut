-- Convolution of an image with a filter of 5x5; beyond the rim there is nothing.
-- ==
-- notest random input { [1024][1024]f32 [5][5]f32 }
-- nobench input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] [[1f32, 0f32, 0f32, 0f32, 0f32], [0f32, 1f32, 2f32, 0f32, 0f32], [0f32, 3f32, 4f32, 5f32, 0f32], [0f32, 0f32, 6f32, 7f32, 0f32], [0f32, 0f32, 0f32, 0f32, 8f32]] }
-- output { [[73f32, 98f32, 54f32], [43f32, 67f32, 47f32]] }

entry main [h][w] (image: [h][w]f32) (filter: [5][5]f32): [h][w]f32 =
  tabulate_2d h w (\i j ->
    f32.sum (flatten (tabulate_2d 5 5 (\a b ->
      let (y, x) = (i + a - 2, j + b - 2)
      in if y >= 0 && y < h && x >= 0 && x < w then image[y, x] * filter[a, b] else 0))))
