-- case: run ( [1i32, 2i32, 3i32] )
-- Each application of `filter` makes its own size.
def main (xs: []i32) = (filter (> 1) xs ++ filter (> 2) xs, filter (> 5) (filter (> 1) xs))
-- ---
[2i32, 3i32, 3i32]
empty([0]i32)
