-- A loop builds a row, one element after the other, that goes into the matrix.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[1i64, 2i64], [3i64, 4i64]] 5i64 } output { [[1i64, 2i64], [0i64, 5i64]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (out: *[n][m]i64) (k: i64): [n][m]i64 =
  let row = loop row = replicate m 0 for i < m do row with [i] = i * k
  let out[n - 1] = row
  in out
