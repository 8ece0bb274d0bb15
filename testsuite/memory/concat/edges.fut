-- Single elements before and after what is computed together.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { 1 [5, 6] 2 } output { [2i32, 6i32, 7i32, 6i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main (a: i32) (xs: []i32) (b: i32): []i32 = [a * 2] ++ map (+ 1) xs ++ [b * 3]
