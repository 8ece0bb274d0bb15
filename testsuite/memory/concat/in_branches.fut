-- Each branch concatenates; each does so in the block of the result.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { true [1, 2] } output { [2i32, 3i32, 2i32, 4i32] }
-- input { false [1, 2] } output { [3i32, 6i32, 5i32, 6i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] (c: bool) (xs: [n]i32): [n + n]i32 =
  if c then map (+ 1) xs ++ map (* 2) xs else map (* 3) xs ++ map (+ 4) xs
