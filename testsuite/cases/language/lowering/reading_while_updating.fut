-- case: run ( [1i64, 2i64, 3i64] )
-- reading while updating
def main [n] (xs: *[n]i64) = loop xs for i < n - 1 do xs with [i + 1] = xs[i] + xs[i + 1]
-- ---
[1i64, 3i64, 6i64]
