-- The array is read after the map: another block.
-- ideal: Alloc 2 Copy 0
-- ==
-- input { [1, 2, 3] } output { [1i32, 3i32, 6i32] [2i32, 6i32, 12i32] }
-- structure funmem { Alloc 2 Copy 0 }

def main (xs: []i32): ([]i32, []i32) =
  let a = scan (+) 0 xs
  let b = map (* 2) a
  in (a, b)
