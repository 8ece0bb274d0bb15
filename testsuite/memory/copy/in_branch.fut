-- One branch copies an argument, the other computes: the copy is made where the result is.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { true [1, 2] } output { [9i32, 2i32] }
-- input { false [1, 2] } output { [9i32, 3i32] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] (c: bool) (xs: [n]i32): *[n]i32 =
  let a = if c then copy xs else map (+ 1) xs
  in a with [0] = 9
