-- Both halves of a concatenation are computed where they belong.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 3] [10, 20] } output { [2, 3, 4, 20, 40] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: []i32) (ys: []i32): []i32 = map (+ 1) xs ++ map (* 2) ys
