-- Dynamic programming over a grid, row by row (Rodinia's pathfinder).
-- ==
-- entry: main
-- script input { mk 12i64 }
-- output {
--   [163i32, 164i32, 158i32, 162i32, 156i32, 160i32, 163i32, 173i32, 171i32, 176i32, 170i32, 170i32]
-- }

def step [cols] (wall_row: [cols]i32) (costs: [cols]i32) : [cols]i32 =
  map2 (\w i ->
    let best = costs[i]
    let best = if i > 0 then i32.min best costs[i - 1] else best
    let best = if i < cols - 1 then i32.min best costs[i + 1] else best
    in best + w) wall_row (iota cols)

entry main [rows][cols] (wall: [rows][cols]i32) : [cols]i32 =
  loop costs = wall[0] for row in wall[1:] do step row costs

entry mk (n: i64) = tabulate_2d 100 n (\i j -> i32.i64 ((i * 7919 + j * 104729 + (i * j) % 13) % 10))
