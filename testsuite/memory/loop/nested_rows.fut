-- A loop in a loop fills a matrix row by row.
-- ==
-- input { 2i64 3i64 } output { [[0i64, 1i64, 3i64], [1i64, 2i64, 4i64]] }
-- structure funmem { Alloc 1 Copy 0 }

def main (n: i64) (m: i64): [n][m]i64 =
  loop out = replicate n (replicate m 0) for i < n do
    let row = loop row = replicate m i for j in 1..<m do row with [j] = row[j - 1] + j
    let out[i] = row
    in out
