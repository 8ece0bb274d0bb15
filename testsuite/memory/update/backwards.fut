-- What is computed is put in the opposite order: it is computed so.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [0, 0, 0] [1, 2, 3] } output { [4i32, 3i32, 2i32] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] (out: *[n]i32) (xs: [n]i32): [n]i32 =
  let new = map (+ 1) xs
  let out[:] = reverse new
  in out
