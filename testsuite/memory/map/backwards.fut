-- Each element is computed from the one at the opposite place: another block.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 4] } output { [-3i32, 0i32, 3i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: *[]i32): []i32 = map2 (-) xs (reverse xs)
