-- The branches give arrays of different sizes: each has a block of its own.
-- ideal: Alloc 2 Copy 0
-- ==
-- input { true [1, 2] } output { [2i32, 3i32] }
-- input { false [1, 2] } output { [2i32, 3i32, 2i32, 4i32] }
-- structure funmem { Alloc 2 Copy 0 }

def main (c: bool) (xs: []i32): []i32 = if c then map (+ 1) xs else map (+ 1) xs ++ map (* 2) xs
