-- Both branches change the same array.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { true [5, 6] } output { [1i32, 6i32] }
-- input { false [5, 6] } output { [5i32, 2i32] }
-- structure funmem { Alloc 0 Copy 0 }

def main (c: bool) (xs: *[]i32): []i32 = if c then xs with [0] = 1 else xs with [1] = 2
