-- Each thread's row is scanned in the result.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[2i32, 6i32, 12i32], [8i32, 18i32, 30i32]] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: [][]i32): [][]i32 = map (\row -> scan (+) 0 (map (* 2) row)) xs
