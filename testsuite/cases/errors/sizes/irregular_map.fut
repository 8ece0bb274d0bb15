-- case: check
def main (ns: []i64) = map (\n -> iota n) ns
-- ---
E0302 2:28 the size of this function's result is not the same for all arguments
  this is (n: i64) -> [n]i64
  2:24 expected i64 -> _ as argument 1 of this
  compute the size before the function, bind it with `let`, or coerce the result with `:>`
