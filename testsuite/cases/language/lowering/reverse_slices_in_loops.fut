-- case: run ( [1i32, 2i32, 3i32] )
-- reverse slices in loops
def main [n] (xs: *[n]i32) = let xs[::-1] = copy xs in xs
-- ---
[3i32, 2i32, 1i32]
