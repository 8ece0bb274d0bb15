-- The diagonal of a flat matrix is added to its first row: as before, by a stride of n + 1.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [1, 2, 3, 4] 2i64 } output { [2i32, 2i32, 3i32, 6i32] }
-- structure funmem { Alloc 1 Copy 1 }

def main [m] (xs: *[m]i32) (n: i64): [m]i32 =
  let n = assert (n > 0 && n * n == m) n
  let new = map (\i -> xs[i * (n + 1)] + xs[i]) (iota n)
  let xs[0:n * n:n + 1] = new
  in xs
