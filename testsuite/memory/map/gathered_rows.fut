-- Each thread takes a row of an argument.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[1, 2], [3, 4]] [1i64, 1i64, 0i64] } output { [[3i32, 4i32], [3i32, 4i32], [1i32, 2i32]] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] [k] (xs: [n][m]i32) (at: [k]i64): [k][m]i32 = map (\i -> xs[i]) at
