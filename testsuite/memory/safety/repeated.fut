-- A row that is repeated in the matrix it goes to.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2] 2i64 } output { [[2i32, 3i32], [2i32, 3i32]] }
-- structure funmem { Alloc 2 Copy 0 }

def main [m] (xs: [m]i32) (n: i64): [n][m]i32 = replicate n (map (+ 1) xs)
