-- The size of the concatenation is computed after its first part, from scalars.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2] 1i64 } output { [2i32, 3i32, 3i32, 3i32, 3i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] (xs: [n]i32) (k: i64): []i32 =
  let a = map (+ 1) xs
  let m = k * 2 + 1
  let b = replicate m 3
  in a ++ b
