-- The same array is two results: it is given twice, and the two share their block.
-- ==
-- input { [1, 2, 3] } output { [2i32, 3i32, 4i32] [2i32, 3i32, 4i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: []i32): ([]i32, []i32) =
  let a = map (+ 1) xs
  in (a, a)
