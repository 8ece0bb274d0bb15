-- case: run ( [1i32, 2i32, 3i32, 4i32] )
-- opaque size
def main [n] (xs: [n]i32) = let m = n / 2 let a = take m xs let b = take m xs in map2 (+) a b
-- ---
[2i32, 4i32]
