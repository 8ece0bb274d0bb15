-- case: run ( [1i32, 2i32] )
def main [n] (xs: [n]i32) = let ys = (xs : [n]i32) in (map (\x -> (x : i32) + 1) ys : [n]i32)
-- ---
[2i32, 3i32]
