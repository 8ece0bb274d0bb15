-- The middle of the chain is a result on its own. One of the two results is a copy of the other, since they have blocks of their
-- own.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[0, 0, 0, 0]] [1, 2] } output { [[2i32, 3i32, 2i32, 4i32]] [2i32, 3i32, 2i32, 4i32] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (out: *[n][m + m]i32) (xs: [m]i32): ([n][m + m]i32, []i32) =
  let row = map (+ 1) xs ++ map (* 2) xs
  let out[0] = row
  in (out, row)
