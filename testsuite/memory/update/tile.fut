-- A tile in the middle of a matrix is computed there.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[0i64, 0i64, 0i64], [0i64, 0i64, 0i64], [0i64, 0i64, 0i64]] 1i64 0i64 2i64 } output { [[0i64, 0i64, 0i64], [0i64, 1i64, 0i64], [10i64, 11i64, 0i64]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (out: *[n][m]i64) (i: i64) (j: i64) (b: i64): [n][m]i64 =
  let tile = tabulate_2d b b (\x y -> x * 10 + y)
  let out[i:i + b, j:j + b] = tile :> [i + b - i][j + b - j]i64
  in out
