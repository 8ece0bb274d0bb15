-- Elements that become wider need another block.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 3] } output { [2i64, 4i64, 6i64] }
-- structure funmem { Alloc 1 Copy 0 }

def main (xs: *[]i32): []i64 = map (\x -> i64.i32 x * 2) xs
