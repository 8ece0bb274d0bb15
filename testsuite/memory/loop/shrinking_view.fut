-- The array loses its first element in each iteration: another view of the same block.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [1, 2, 3] } output { 11i32 }
-- structure funmem { Alloc 0 Copy 0 }

def main (xs: []i32): i32 =
  let (s, _) = loop (s, a) = (0, xs) while length a > 0 do (s * 2 + a[0], a[1:])
  in s
