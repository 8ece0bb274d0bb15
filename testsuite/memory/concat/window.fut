-- A window that moves: all but the first element, and a new one. What moves overlaps itself, so it goes through another block.
-- ideal: Alloc 2 Copy 2
-- ==
-- input { [1, 2, 3] 2i64 } output { [3i32, 0i32, 1i32] }
-- structure funmem { Alloc 3 Copy 3 }

def main [n] (xs: [n]i32) (k: i64): [n]i32 =
  loop a = copy xs for i < k do (a[1:] ++ [i32.i64 i]) :> [n]i32
