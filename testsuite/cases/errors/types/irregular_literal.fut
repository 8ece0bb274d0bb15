-- case: check
def main = [[1, 2], [3]]
-- ---
E0301 2:21 the sizes [2] and [1] differ
  expected [2]_, this is [1]_
  2:13 the first element has the type [2]_
  if they are equal when the program runs, say so with `:>`
