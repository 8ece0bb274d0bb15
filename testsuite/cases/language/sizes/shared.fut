-- case: run ( [1i32, 2i32] [3i32, 4i32] )
def dot [n] (xs: [n]i32) (ys: [n]i32) : i32 = i32.sum (map2 (*) xs ys)
def main [n] (xs: [n]i32) (ys: [n]i32) = dot xs ys
-- ---
11i32
