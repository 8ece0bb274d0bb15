-- Rows with gaps between them, in a flat array: they are made there.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [9, 9, 9, 9, 9, 9, 9] 2i64 } output { [0i32, 1i32, 9i32, 10i32, 11i32, 9i32, 9i32] }
-- input { [9, 9] 0i64 } output { [9i32, 9i32] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] (xs: *[n]i32) (k: i64): *[n]i32 =
  let rows = tabulate_2d k 2 (\i j -> i32.i64 (10 * i + j))
  in intrinsics.flat_update_2d xs 0 3 1 rows
