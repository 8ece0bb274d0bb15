-- A copy of a copy of a fresh array.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2] } output { [2i32, 3i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: []i32): []i32 = copy (copy (map (+ 1) xs))
