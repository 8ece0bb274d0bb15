-- case: run ( [1i32, 5i32] )
def main (xs: []i32) = (map (i32.max 3) xs, reduce (i32.+) 0 xs, map (3 i32.-) xs, map (i32.- 3) xs)
-- ---
[3i32, 5i32]
6i32
[2i32, -2i32]
[-2i32, 2i32]
