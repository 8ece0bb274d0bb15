-- case: run ( [1i32,2i32] )
-- zip3 consumed
def main [n] (xs: [n]i32) = let z = zip3 xs xs xs in (z with [0] = (9,8,7), xs)
-- ---
[9i32, 2i32]
[8i32, 2i32]
[7i32, 2i32]
[1i32, 2i32]
