-- The array is read after its copy was changed.
-- ideal: Alloc 2 Copy 1
-- ==
-- input { [1, 2, 3] } output { [9i32, 6i32, 8i32] [7i32, 3i32, 4i32] }
-- structure funmem { Alloc 2 Copy 1 }

def main (xs: []i32): ([]i32, []i32) =
  let a = map (+ 1) xs
  let b = copy a with [0] = 7
  in (map2 (+) a b, b)
