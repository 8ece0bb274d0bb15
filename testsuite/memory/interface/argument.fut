-- The argument is the result.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [1, 2, 3] } output { [1i32, 2i32, 3i32] }
-- structure funmem { Alloc 0 Copy 0 }

def main (xs: *[]i32): []i32 = xs
