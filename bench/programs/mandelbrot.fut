-- How many steps each point of the plane takes to leave a circle, at most 200.
-- ==
-- notest input { 800i64 600i64 }
-- nobench input { 4i64 3i64 } output { [[1i32, 3i32, 4i32, 4i32], [1i32, 18i32, 200i32, 200i32], [1i32, 18i32, 200i32, 200i32]] }

entry main (w: i64) (h: i64): [h][w]i32 =
  tabulate_2d h w (\i j ->
    let re = f32.i64 j / f32.i64 w * 3 - 2
    let im = f32.i64 i / f32.i64 h * 2 - 1
    let (_, _, k) =
      loop (x, y, k) = (0f32, 0f32, 0i32) while x * x + y * y < 4 && k < 200 do
        (x * x - y * y + re, 2 * x * y + im, k + 1)
    in k)
