-- A transposed argument is the result.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]] }
-- structure funmem { Alloc 1 Copy 1 }

def main (xs: [][]i32): [][]i32 = transpose xs
