-- case: run main ()
-- How many ways lead down and right through a grid: binomial coefficients. Rows of 32 columns and more are computed four at a time, whatever their number is.
def paths (n: i64) (m: i64): i64 =
  let grid = loop grid = replicate (n + 1) (replicate (m + 1) 1i64) for i < n do
    loop grid for j < m do
      grid with [i + 1, j + 1] = grid[i, j + 1] + grid[i + 1, j]
  in grid[n, m]

-- Each number is made of the one before it, the one above and that to the right of it.
def leaning (n: i64) (m: i64): i64 =
  let grid = loop grid = replicate (n + 1) (replicate (m + 2) 1i64) for i < n do
    loop grid for j < m do
      grid with [i + 1, j + 1] = 3 * grid[i + 1, j] + grid[i, j + 2] - grid[i, j + 1] + i - j
  in grid[n, m]

entry main: ([11]i64, [4]i64, [11]i64) =
  (loop all = replicate 11 0 for n < 11 do all with [n] = paths n 40,
   loop all = replicate 4 0 for k < 4 do all with [k] = paths 5 (31 + k),
   loop all = replicate 11 0 for n < 11 do all with [n] = leaning n 40)
-- ---
-- [1i64, 41i64, 861i64, 12341i64, 135751i64, 1221759i64, 9366819i64, 62891499i64, 377348994i64, 2054455634i64, 10272278170i64]
-- [376992i64, 435897i64, 501942i64, 575757i64]
-- [1i64, 9118249094292696621i64, 918659574450518435i64, -3373985202549260559i64, -7442366069415088083i64, 2687376635850242223i64, 4780963073651145677i64, 3151874271671858787i64, -4676441983522692961i64, -4647876802342120735i64, 2880227729065218039i64]
