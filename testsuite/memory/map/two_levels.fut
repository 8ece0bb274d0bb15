-- Rows that threads build in loops, of matrices that threads build.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { 2i64 2i64 } output { [[[0i64, 0i64], [1i64, 1i64]], [[0i64, 1i64], [1i64, 2i64]]] }
-- structure funmem { Alloc 1 Copy 0 }

def main (n: i64) (m: i64): [n][m][m]i64 =
  map (\i -> map (\j -> loop row = replicate m j for k in 1..<m do row with [k] = row[k - 1] + i) (iota m)) (iota n)
