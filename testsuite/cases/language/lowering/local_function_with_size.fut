-- case: run ( [1i32, 2i32, 3i32] )
-- local function with size
def main [n] (xs: [n]i32) = let f [k] (ys: [k]i32) (i: i64) = ys[i % k] in f xs 5 + f [7, 8] 3
-- ---
11i32
