-- case: run ( 4i64 5i64 13i64 )
-- Cells of three numbers that flow to their neighbours, but at the walls, where they turn around: nests with loops in a branch by the place, two
-- blocks in turn, and tables of places.
def opposite : [3]i64 = [0, 2, 1]
def ways : [3]i64 = [0, 1, -1]
type kind = #wall | #lid | #inside
def kind (n: i64) (m: i64) (y: i64) (x: i64) : kind =
  if x == 0 || x == m - 1 || y == 0 || y == n - 1 then #wall else if y == 1 && x > 1 && x < m - 2 then #lid else #inside
def meet (k: kind) (f: *[3]i32) : *[3]i32 =
  match k
  case #wall ->
    loop f for q < 3 do
      let r = opposite[q] in if q < r then (let (there, back) = (f[q], f[r]) in f with [q] = back with [r] = there) else f
  case _ ->
    let sum = loop sum = 0 for q < 3 do sum + f[q] * (i32.i64 q + 1)
    let u = match k case #lid -> 3 case _ -> sum %% 5
    in loop f for q < 3 do f with [q] = (f[q] * 2 + u * i32.i64 ways[q]) %% 1000
def step [n][m] (grid: [n][m][3]i32) : *[n][m][3]i32 =
  tabulate_2d n m (\y x ->
    let into = loop into = replicate 3 0 for q < 3 do into with [q] = grid[y, i64.max 0 (i64.min (m - 1) (x - ways[q])), q]
    in meet (kind n m y x) into)
def mixed (numbers: []i32) : i32 = loop all = 0 for x in numbers do all * 31 + x
def main (steps: i64) (n: i64) (m: i64) : (i32, [3]i32) =
  let grid = loop grid = tabulate_3d n m 3 (\y x q -> i32.i64 ((y * 7 + x * 3 + q * 5) % 11)) for _i < steps do step grid
  in (mixed (flatten (flatten grid)), grid[2, 3])
-- ---
-- 1496707169i32
-- [16i32, 45i32, 5i32]
