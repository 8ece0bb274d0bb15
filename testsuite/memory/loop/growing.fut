-- The array grows in each iteration: each needs a block of another size. What is there is copied to it.
-- ideal: Alloc 2 Copy 1
-- ==
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- structure funmem { Alloc 2 Copy 1 }

def main (k: i64): []i64 = loop a = [] for i < k do a ++ [i]
