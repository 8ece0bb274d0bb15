-- Two arrays that one map computes go into two matrices.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[0, 0]] [[0, 0]] [1, 2] } output { [[2i32, 3i32]] [[2i32, 4i32]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (out: *[n][m]i32) (more: *[n][m]i32) (xs: [m]i32): ([n][m]i32, [n][m]i32) =
  let (a, b) = unzip (map (\x -> (x + 1, x * 2)) xs)
  let out[0] = a
  let more[0] = b
  in (out, more)
