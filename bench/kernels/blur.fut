-- A box blur: every pixel becomes the mean of the 3 x 3 pixels around it. The image is given with a rim of one pixel.
-- ==
-- notest random input { [4098][4098]f32 }
-- nobench input { [[9f32, 9f32, 9f32, 18f32], [0f32, 0f32, 0f32, 0f32], [9f32, 9f32, 9f32, 9f32]] } output { [[6f32, 7f32]] }

entry main [h][w] (image: [h][w]f32): [][]f32 =
  tabulate_2d (h - 2) (w - 2) (\i j ->
    let row k = image[i + k, j] + image[i + k, j + 1] + image[i + k, j + 2]
    in (row 0 + row 1 + row 2) * (1 / 9))
