-- The size of the second part is read in the first, so that there is no concatenation yet when the first part is computed.
-- ideal: Alloc 2 Copy 1
-- ==
-- input { [1i64, 2i64] } output { [2i64, 3i64, 3i64, 3i64] }
-- structure funmem { Alloc 2 Copy 1 }

def main [n] (xs: [n]i64): []i64 =
  let a = map (+ 1) xs
  let b = replicate a[0] 3
  in a ++ b
