-- Rows are built by loops that may stop the program, at an index that nobody knows. That there is such a row is known before.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[0, 0], [0, 0]] [1i64, 0i64] } output { [[2i32, 1i32], [3i32, 2i32]] }
-- input { [[0, 0], [0, 0]] [1i64, 2i64] } error: out of bounds
-- input { empty([0][2]i32) [1i64, 0i64] } output { empty([0][2]i32) }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (xss: *[n][m]i32) (order: [m]i64): [n][m]i32 =
  loop xss for i < n do
    let row = loop row = replicate m 0 for j < m do row with [order[j]] = i32.i64 (i + j + 1)
    in xss with [i] = row
