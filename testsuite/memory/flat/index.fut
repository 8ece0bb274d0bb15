-- Overlapping windows of an array are a view of it.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2, 3, 4, 5] } output { [6i32, 9i32, 12i32] }
-- input { [1, 2] } output { empty([0]i32) }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] (xs: [n]i32) =
  map i32.sum (intrinsics.flat_index_2d xs 0 (i64.max 0 (n - 2)) 1 3 1)
