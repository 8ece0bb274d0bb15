-- case: run ( 6i64 )
def main (n: i64) = loop xs = replicate n 1i64 for i < n - 2 do xs with [i + 2] = xs[i] + xs[i + 1]
-- ---
[1i64, 1i64, 2i64, 3i64, 5i64, 8i64]
