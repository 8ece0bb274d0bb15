-- case: check
def main (xss: [][]i32) = map (filter (> 0)) xss
-- ---
E0302 2:31 the size of this function's result is not the same for all arguments
  this is [_]_ -> ?[k].*[k]_
  2:27 expected [_]_ -> _ as argument 1 of this
  compute the size before the function, bind it with `let`, or coerce the result with `:>`
