-- A copy of a concatenation is the concatenation.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 3] } output { [2i32, 3i32, 4i32, 2i32, 4i32, 6i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: []i32): []i32 =
  let both = map (+ 1) xs ++ map (* 2) xs
  in copy both
