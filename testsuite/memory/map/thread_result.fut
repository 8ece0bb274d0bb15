-- The row that each thread builds in a loop is built in the result.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2] 3i64 } output { [[1, 2, 3], [2, 3, 4]] }
-- structure funmem { /Alloc 1 /Kernel/Alloc 0 Copy 0 /Kernel/Copy 0 }

def main (xs: []i32) (k: i64) =
  map (\x -> loop a = replicate k 0 for i < k do a with [i] = x + i32.i64 i) xs
