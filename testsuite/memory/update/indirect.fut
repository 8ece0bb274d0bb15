-- A column is added to itself in an order that an argument gives: nobody knows which thread reads what another writes.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[1, 2], [3, 4]] [1i64, 0i64] } output { [[4i32, 2i32], [4i32, 4i32]] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (xs: *[n][m]i32) (js: [n]i64): [n][m]i32 =
  let new = map (\i -> xs[i, 0] + xs[js[i], 0]) (iota n)
  let xs[:, 0] = new
  in xs
