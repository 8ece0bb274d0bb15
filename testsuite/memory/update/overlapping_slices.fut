-- A part of an array is moved to where it overlaps itself: through another block.
-- ideal: Alloc 1 Copy 2
-- ==
-- input { [1, 2, 3, 4, 5, 6] 2i64 } output { [3i32, 4i32, 5i32, 6i32, 5i32, 6i32] }
-- structure funmem { Alloc 1 Copy 2 }

def main [n] (xs: *[n]i32) (i: i64): [n]i32 =
  let part = copy xs[i:i + 2 * i]
  let xs[0:2 * i] = part :> [2 * i - 0]i32
  in xs
