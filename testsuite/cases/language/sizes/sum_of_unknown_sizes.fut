-- case: run ( [1i32, 2i32, 3i32] )
-- Language reference, "Unknown sizes": a size that an argument decides can be a parameter's.
def sizes [n] [m] 't (_: [n + m]t) = (n, m)
def main [n] (xs: [n]i32) = sizes (let ys = filter (< 3) xs in ys ++ xs)
-- ---
2i64
3i64
