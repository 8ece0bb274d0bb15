-- Sorting 2^m numbers by a bitonic network: every round compares each with the one whose index differs in one bit.
-- ==
-- notest random input { [262144]f32 }
-- nobench input { [3f32, 1f32, 2f32, 0f32] } output { [0f32, 1f32, 2f32, 3f32] }
-- nobench input { [1f32, 0f32, 7f32, -2f32, 5f32, 5f32, 4f32, 9f32] } output { [-2f32, 0f32, 1f32, 4f32, 5f32, 5f32, 7f32, 9f32] }
-- nobench input { [8f32] } output { [8f32] }

-- Runs of `size` rise and fall in turn.
def round [n] (size: i64) (apart: i64) (xs: [n]f32): [n]f32 =
  tabulate n (\i ->
    let (x, y) = (xs[i], xs[i ^ apart])
    in if ((i & apart) == 0) == ((i & size) == 0) then f32.min x y else f32.max x y)

entry main [n] (xs: [n]f32): [n]f32 =
  let (xs, _) = loop (xs, size) = (xs, 2) while size <= n do
    let (xs, _) = loop (xs, apart) = (xs, size / 2) while apart > 0 do (round size apart xs, apart / 2)
    in (xs, size * 2)
  in xs
