-- case: run ( true [[1i32, 2i32], [3i32, 4i32]] )
-- The branches lay their results out differently in memory.
def main [n] (b: bool) (xss: [n][n]i32) = let f c = if c then transpose xss else map (map (* 2)) xss in (f b, f (!b))
-- ---
[[1i32, 3i32], [2i32, 4i32]]
[[2i32, 4i32], [6i32, 8i32]]
