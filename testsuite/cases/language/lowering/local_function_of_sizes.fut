-- case: run ( [1i32, 2i32] )
-- local function of sizes
def main [n] (xs: [n]i32) = let g [m] (ys: [m]i32): [m]i32 = map (+ 1) ys in (g xs, g (take 1 xs), g (filter (> 1) xs))
-- ---
[2i32, 3i32]
[2i32]
[3i32]
