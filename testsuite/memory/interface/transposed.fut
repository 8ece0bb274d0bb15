-- A transposed fresh matrix is the result: it is computed in that order.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[2i32, 5i32], [3i32, 6i32], [4i32, 7i32]] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: [][]i32): [][]i32 = transpose (map (map (+ 1)) xs)
