-- Blurs of grey images.

-- | Each pixel becomes the mean of itself and its eight neighbours; beyond the border, the border goes on.
entry blur [h][w] (image: [h][w]f32) : [h][w]f32 =
  let at y x = image[i64.max 0 (i64.min (h - 1) y), i64.max 0 (i64.min (w - 1) x)]
  let row y x = at y (x - 1) + at y x + at y (x + 1)
  in tabulate_2d h w (\y x -> (row (y - 1) x + row y x + row (y + 1) x) / 9)

-- | `blur`, so many times, on the memory of the image.
entry blurs [h][w] (times: i64) (image: *[h][w]f32) : *[h][w]f32 =
  loop image for _i < times do blur image
