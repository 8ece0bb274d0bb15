-- As a result of the program the matrix must be in row-major order from the first place of its block: one copy, in whichever
-- branch it is needed.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { true [[1, 2], [3, 4]] } output { [[2i32, 4i32], [3i32, 5i32]] }
-- input { false [[1, 2], [3, 4]] } output { [[2i32, 3i32], [4i32, 5i32]] }
-- structure funmem { Alloc 2 Copy 1 }

def main [n] (c: bool) (xs: [n][n]i32): [n][n]i32 =
  let a = map (map (+ 1)) xs
  in if c then transpose a else a
