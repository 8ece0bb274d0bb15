-- Branches within branches.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[0, 0], [5, 5]] 0 [1, 2] } output { [[0i32, 0i32], [2i32, 3i32]] }
-- input { [[0, 0], [5, 5]] 1 [1, 2] } output { [[0i32, 0i32], [2i32, 4i32]] }
-- input { [[0, 0], [5, 5]] 2 [1, 2] } output { [[0i32, 0i32], [1i32, 3i32]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (out: *[n][m]i32) (k: i32) (xs: [m]i32): [n][m]i32 =
  let row = if k == 0 then map (+ 1) xs else if k == 1 then map (* 2) xs else scan (+) 0 xs
  let out[n - 1] = row
  in out
