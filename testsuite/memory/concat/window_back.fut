-- The newest element comes first: rows move towards the end, the last one goes.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[1, 2], [3, 4], [5, 6]] 2i64 } output { [[1i32, 1i32], [0i32, 0i32], [1i32, 2i32]] }
-- structure funmem { Alloc 1 Copy 2 }

def main [n] [m] (xs: [n][m]i32) (k: i64): [n][m]i32 =
  loop a = copy xs for i < k do ([replicate m (i32.i64 i)] ++ a[:n - 1]) :> [n][m]i32
