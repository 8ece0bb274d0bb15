-- An argument of the program is copied to the concatenation: it was made by whoever runs the program.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [1, 2] [3] } output { [1i32, 2i32, 6i32] }
-- structure funmem { Alloc 1 Copy 1 }

def main (xs: []i32) (ys: []i32): []i32 = xs ++ map (* 2) ys
