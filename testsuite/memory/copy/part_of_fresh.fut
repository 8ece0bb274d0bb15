-- A copy of a part of a fresh array. An entry point's result begins at the first place of a block, so the part is copied.
-- ideal: Alloc 2 Copy 1
-- ==
-- input { [1, 2, 3] } output { [3i32, 6i32] }
-- structure funmem { Alloc 2 Copy 1 }

def main [n] (xs: [n]i32): []i32 =
  let a = scan (+) 0 xs
  in copy a[1:]
