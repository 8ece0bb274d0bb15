-- Two halves of a fresh array are two results: each is computed in a block of its own, or copied there.
-- ideal: Alloc 2 Copy 0
-- ==
-- input { [1, 2, 3] 1i64 } output { [2i32] [3i32, 4i32] }
-- structure funmem { Alloc 2 Copy 1 }

def main [n] (xs: [n]i32) (k: i64): ([]i32, []i32) =
  let a = map (+ 1) xs
  in (a[:k], a[k:])
