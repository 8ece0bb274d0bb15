-- case: run ( [1i64, 2i64, 0i64] )
def main [n] (next: [n]i64) = (loop (seen, i) = (replicate n false, 0) while !seen[i] do (seen with [i] = true, next[i])).0
-- ---
[true, true, true]
