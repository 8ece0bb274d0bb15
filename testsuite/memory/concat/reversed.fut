-- Each half in the opposite order: it is computed backwards.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 3] } output { [4i32, 3i32, 2i32, 6i32, 4i32, 2i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: []i32): []i32 = reverse (map (+ 1) xs) ++ reverse (map (* 2) xs)
