-- case: check
-- A flat slice is a part of its array: when the array is consumed, it is gone.
def main (xs: *[]i32) =
  let part = intrinsics.flat_index_2d xs 0 2 2 2 1
  let xs[0] = 7
  in (xs, part)
-- ---
-- E0401 6:11 `part` is used after `xs`, which may be the same array, was consumed
--   used here
--   5:7 consumed here, by this update
--   `copy` makes a value that can be consumed
