-- A copy of a fresh array that is not used otherwise is that array.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 3] } output { [7i32, 3i32, 4i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: []i32): []i32 =
  let a = map (+ 1) xs
  let b = copy a
  let b[0] = 7
  in b
