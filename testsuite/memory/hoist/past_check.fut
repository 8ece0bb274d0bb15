-- An assertion stands between: the concatenation can be made before it.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2] 1i64 } output { [2i32, 3i32, 3i32, 3i32] }
-- input { [1, 2] 0i64 } error: Assertion is false
-- structure funmem { Alloc 1 Copy 0 }

def main [n] (xs: [n]i32) (k: i64): []i32 =
  let a = map (+ 1) xs
  let m = assert (k > 0) (k + 1)
  in a ++ replicate m 3
