-- The destination is made from what is in the row: it does not exist where the row is computed.
-- ideal: Alloc 2 Copy 1
-- ==
-- input { [1i64, 2i64] } output { [[5i64, 5i64], [5i64, 5i64], [2i64, 3i64]] }
-- structure funmem { Alloc 2 Copy 1 }

def main [m] (xs: [m]i64): [][m]i64 =
  let row = map (+ 1) xs
  let n = 1 + row[0]
  let out = replicate n (replicate m (i64.sum row))
  let out[n - 1] = row
  in out
