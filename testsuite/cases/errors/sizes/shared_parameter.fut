-- case: check
def dot [n] (xs: [n]i32) (ys: [n]i32) = i32.sum (map2 (*) xs ys)
def main [n] (xs: [n]i32) = dot xs (iota (n + 1) |> map i32.i64)
-- ---
E0301 3:36 the sizes [n] and [n + 1] differ
  expected [n]i32, this is [n + 1]i32
  3:11 the size n is a parameter
  3:29 expected [n]i32 as argument 2 of this
  if they are equal when the program runs, say so with `:>`
