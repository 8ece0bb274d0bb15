-- An array after itself: it is computed in one half and copied to the other.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [1, 2] } output { [2i32, 3i32, 2i32, 3i32] }
-- structure funmem { Alloc 1 Copy 1 }

def main (xs: []i32): []i32 =
  let a = map (+ 1) xs
  in a ++ a
