-- case: run ( true [5i32] )
-- consume in one branch
def main [n] (b: bool) (xs: *[n]i32) = if b then xs with [0] = 1 else xs
-- ---
[1i32]
