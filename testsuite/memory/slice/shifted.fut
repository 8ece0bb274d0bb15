-- They are put one place further: an element is written that another one reads.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [1, 2, 3, 4] } output { [1i32, 2i32, 4i32, 6i32] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] (xs: *[n]i32): [n]i32 =
  let new = map (* 2) xs[0:n - 1]
  let xs[1:n] = new :> [n - 1]i32
  in xs
