-- Every third block is computed from the one before it: a slice with a stride, as an anti-diagonal of blocks is.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[1], [2], [3], [4], [5], [6], [7], [8], [9]] } output { [[1i32], [2i32], [3i32], [4i32], [8i32], [6i32], [7i32], [14i32], [9i32]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [b] (a: *[9][b]i32): [9][b]i32 =
  let new = map (map (* 2)) a[0:9:3]
  let a[1:9:3] = new
  in a
