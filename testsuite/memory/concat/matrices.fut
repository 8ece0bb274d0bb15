-- Rows after rows.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [[1, 2]] [[3, 4], [5, 6]] } output { [[2i32, 3i32], [6i32, 8i32], [10i32, 12i32]] }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] [m] [k] (xs: [n][k]i32) (ys: [m][k]i32): [][]i32 = map (map (+ 1)) xs ++ map (map (* 2)) ys
