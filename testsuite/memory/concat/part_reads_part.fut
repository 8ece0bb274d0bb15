-- The second part is computed from the first, which it reads where that was computed.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 3] } output { [2i32, 3i32, 4i32, 4i32, 6i32, 8i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: []i32): []i32 =
  let a = map (+ 1) xs
  let b = map (* 2) a
  in a ++ b
