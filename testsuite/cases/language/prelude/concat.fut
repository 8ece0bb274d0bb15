-- case: run ( [1i32, 2i32] empty([0]i32) )
def main (xs: []i32) (none: []i32) = (xs ++ [3], concat xs xs, none ++ xs, xs ++ none, none ++ none, xs ++ xs ++ [9])
-- ---
[1i32, 2i32, 3i32]
[1i32, 2i32, 1i32, 2i32]
[1i32, 2i32]
[1i32, 2i32]
empty([0]i32)
[1i32, 2i32, 1i32, 2i32, 9i32]
