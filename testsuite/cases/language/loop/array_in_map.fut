-- case: run ( [1i64, 2i64, 3i64] )
def main (ns: []i64) = map (\n -> loop xs = replicate 4 0 for i < n do xs with [i] = n * 10 + i) ns
-- ---
[[10i64, 0i64, 0i64, 0i64], [20i64, 21i64, 0i64, 0i64], [30i64, 31i64, 32i64, 0i64]]
