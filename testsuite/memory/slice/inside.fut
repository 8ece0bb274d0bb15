-- The inner elements are computed from themselves and put back.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [1, 2, 3, 4] } output { [1i32, 4i32, 6i32, 4i32] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] (xs: *[n]i32): [n]i32 =
  let new = map (* 2) xs[1:n - 1]
  let xs[1:n - 1] = new
  in xs
