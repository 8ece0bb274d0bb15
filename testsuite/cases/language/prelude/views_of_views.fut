-- case: run ( 6i64 )
def main (n: i64) = let a = unflatten (iota (n * 4)) : [n][4]i64 in ((transpose a)[::2, 1:5:3], map (rotate 1) (reverse a[:2]), flatten (transpose a[4:]))
-- ---
[[4i64, 16i64], [6i64, 18i64]]
[[5i64, 6i64, 7i64, 4i64], [1i64, 2i64, 3i64, 0i64]]
[16i64, 20i64, 17i64, 21i64, 18i64, 22i64, 19i64, 23i64]
