-- One branch changes an array that is read after the branches, in the other too: the change is made on a copy.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { true [5, 6] } output { [7i32, 6i32] 11i32 }
-- input { false [5, 6] } output { [10i32, 12i32] 11i32 }
-- structure funmem { Alloc 1 Copy 1 }

def main (c: bool) (xs: []i32): ([]i32, i32) =
  let a = if c then copy xs with [0] = 7 else map (* 2) xs
  in (a, i32.sum xs)
