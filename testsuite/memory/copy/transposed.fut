-- A copy of a fresh, transposed matrix: it is computed in the order of the copy.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[2i32, 5i32], [3i32, 6i32], [4i32, 7i32]] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: [][]i32): [][]i32 =
  let a = map (map (+ 1)) xs
  in copy (transpose a)
