-- case: run ( [1i64, 2i64, 3i64] )
-- What a function without parameters of its own computes an index with shares no memory with the part selected.
def minus = (i64.-)
def main [n] (xs: *[n]i64) =
  let part = (.[minus n n:n]) xs
  in part with [0] = 7
-- ---
[7i64, 2i64, 3i64]
