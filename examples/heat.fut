-- Heat spreading over a square plate: an explicit 5-point stencil whose border keeps its temperature.
--
--   echo '8i64 100i32' | fun run examples/heat.fut
-- ==
-- entry: steps
-- input { [[0f32, 8f32, 0f32], [0f32, 0f32, 0f32], [0f32, 0f32, 0f32]] 1i32 }
-- output { [[0f32, 8f32, 0f32], [0f32, 2f32, 0f32], [0f32, 0f32, 0f32]] }

entry steps [n] (plate: [n][n]f32) (count: i32): [n][n]f32 =
  loop plate for _t < count do
    tabulate_2d n n (\i j ->
      if i == 0 || j == 0 || i == n - 1 || j == n - 1 then plate[i, j]
      else 0.25 * (plate[i - 1, j] + plate[i + 1, j] + plate[i, j - 1] + plate[i, j + 1]))

-- A plate whose upper edge is hot.
entry main (n: i64) (count: i32): [n][n]f32 =
  steps (tabulate_2d n n (\i _ -> if i == 0 then 100 else 0)) count
