-- Halves of a fresh array in the opposite order: both are read while neither half is where it belongs.
-- ideal: Alloc 2 Copy 2
-- ==
-- input { [1, 2, 3, 4, 5] 2i64 } output { [4i32, 5i32, 6i32, 2i32, 3i32] }
-- structure funmem { Alloc 2 Copy 2 }

def main [n] (xs: [n]i32) (k: i64): [n]i32 =
  let a = map (+ 1) xs
  in (a[k:] ++ a[:k]) :> [n]i32
