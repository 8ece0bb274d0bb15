-- How many steps each point of a grid takes to leave a circle, at most 200.
-- ==
-- notest random input { [800]f32 [600]f32 }
-- nobench input { [0f32, 0.25f32, 0.5f32, 0.75f32] [0f32, 0.5f32] } output { [[1i32, 3i32, 4i32, 4i32], [1i32, 200i32, 200i32, 200i32]] }

entry main [w][h] (columns: [w]f32) (rows: [h]f32): [h][w]i32 =
  tabulate_2d h w (\i j ->
    let (re, im) = (columns[j] * 3 - 2, rows[i] * 2 - 1)
    let (_, _, k) =
      loop (x, y, k) = (0f32, 0f32, 0i32) while x * x + y * y < 4 && k < 200 do
        (x * x - y * y + re, 2 * x * y + im, k + 1)
    in k)
