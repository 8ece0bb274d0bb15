-- The same array is two results: one is a copy.
-- ideal: Alloc 2 Copy 1
-- ==
-- input { [1, 2, 3] } output { [2i32, 3i32, 4i32] [2i32, 3i32, 4i32] }
-- structure funmem { Alloc 2 Copy 1 }

def main (xs: []i32): ([]i32, []i32) =
  let a = map (+ 1) xs
  in (a, a)
