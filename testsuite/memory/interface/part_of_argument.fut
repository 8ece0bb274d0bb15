-- A part of an argument is the result: it is copied, since results begin at the first place of a block of their own.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [1, 2, 3] } output { [2i32, 3i32] }
-- structure funmem { Alloc 1 Copy 1 }

def main (xs: []i32): []i32 = xs[1:]
