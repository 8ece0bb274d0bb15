-- case: run ( [1i32, 2i32, 3i32] )
def main (xs: []i32) = let ys = xs :> [3]i32 in (ys == [1, 2, 3], map2 (+) ys [1, 2, 3])
-- ---
true
[2i32, 4i32, 6i32]
