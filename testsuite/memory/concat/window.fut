-- A window that moves: all but the first element, and a new one. What moves goes over itself, in one block.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [1, 2, 3] 2i64 } output { [3i32, 0i32, 1i32] }
-- input { empty([0]i32) 0i64 } output { empty([0]i32) }
-- structure funmem { Alloc 1 Copy 2 }

def main [n] (xs: [n]i32) (k: i64): [n]i32 =
  loop a = copy xs for i < k do (a[1:] ++ [i32.i64 i]) :> [n]i32
