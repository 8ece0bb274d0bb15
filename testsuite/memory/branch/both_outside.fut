-- A branch chooses between two rows that were both computed before: they cannot both be computed in the one place, so one is
-- computed elsewhere and copied if it is chosen.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[0, 0], [5, 5]] true [1, 2] } output { [[2i32, 3i32], [5i32, 5i32]] }
-- input { [[0, 0], [5, 5]] false [1, 2] } output { [[2i32, 5i32], [5i32, 5i32]] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (c: bool) (xs: [m]i32): [n][m]i32 =
  let a = map (+ 1) xs
  let b = scan (+) 0 a
  let both = a[m - 1] + b[m - 1]
  let row = if c && both > 0 then a else b
  let out[0] = row
  in out
