-- A map over an array that is consumed writes over it.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [1, 2, 3] } output { [2i32, 3i32, 4i32] }
-- structure funmem { Alloc 0 Copy 0 }

def main (xs: *[]i32): []i32 = map (+ 1) xs
