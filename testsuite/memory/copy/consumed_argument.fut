-- A consumed argument that is not used after its copy is the copy.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [1, 2, 3] } output { [7i32, 2i32, 3i32] }
-- structure funmem { Alloc 0 Copy 0 }

def main (xs: *[]i32): []i32 = copy xs with [0] = 7
