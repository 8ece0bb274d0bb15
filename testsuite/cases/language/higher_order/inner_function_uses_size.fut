-- case: run ( [1i32, 2i32, 3i32] )
def main [n] (xs: [n]i32) = let at i = if i < n then xs[i] else -1 in map at [0, n - 1, n, 100]
-- ---
[1i32, 3i32, -1i32, -1i32]
