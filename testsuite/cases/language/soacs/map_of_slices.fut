-- case: run ( [1i32, 2i32, 3i32, 4i32] )
def main (xs: []i32) = (map (+ 1) xs[::2], map (+ 1) xs[::-1], map2 (+) (take 3 xs) (drop 1 xs :> [3]i32))
-- ---
[2i32, 4i32]
[5i32, 4i32, 3i32, 2i32]
[3i32, 5i32, 7i32]
