-- The first element becomes the last one: it is read after the others have gone over it, so there are two blocks.
-- ideal: Alloc 2 Copy 2
-- ==
-- input { [1, 2, 3] 2i64 } output { [3i32, 1i32, 2i32] }
-- structure funmem { Alloc 2 Copy 3 }

def main [n] (xs: [n]i32) (k: i64): [n]i32 =
  loop a = copy xs for _i < k do (a[1:] ++ a[:1]) :> [n]i32
