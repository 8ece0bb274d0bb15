-- case: run ( [4i32] )
-- const function
def main [n] (xs: [n]i32) = map (const 3i32) xs
-- ---
[3i32]
