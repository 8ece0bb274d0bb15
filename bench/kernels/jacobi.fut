-- Heat in a square plate, a thousand steps of Jacobi's method: every inner cell becomes the mean of itself and its four neighbours;
-- those on the rim keep their heat.
-- ==
-- notest random input { 1000i64 [512][512]f32 }
-- nobench input { 1i64 [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32], [7f32, 8f32, 14f32]] }
-- output { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32], [7f32, 8f32, 14f32]] }
-- nobench input { 2i64 [[0f32, 0f32, 0f32], [0f32, 25f32, 0f32], [0f32, 0f32, 0f32]] }
-- output { [[0f32, 0f32, 0f32], [0f32, 1f32, 0f32], [0f32, 0f32, 0f32]] }

def step [h][w] (plate: [h][w]f32): *[h][w]f32 =
  tabulate_2d h w (\i j ->
    if i > 0 && i < h - 1 && j > 0 && j < w - 1
    then 0.2 * (plate[i, j] + plate[i - 1, j] + plate[i + 1, j] + plate[i, j - 1] + plate[i, j + 1])
    else plate[i, j])

entry main [h][w] (steps: i64) (plate: [h][w]f32): [h][w]f32 =
  loop plate for _t < steps do step plate
