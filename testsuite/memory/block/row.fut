-- The blocks right of the diagonal are computed from it and themselves.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[[[1]], [[2]]], [[[3]], [[4]]]] 0i64 } output { [[[[1i32]], [[3i32]]], [[[3i32]], [[4i32]]]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [m] [b] (a: *[m][m][b][b]i32) (k: i64): [m][m][b][b]i32 =
  let d = a[k, k]
  let row = map (map2 (\l r -> map (+ l[0]) r) d) a[k, k + 1:]
  let a[k, k + 1:] = row
  in a
