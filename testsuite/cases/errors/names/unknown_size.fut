-- case: check
def main (xs: [n]i32) = xs
-- ---
E0201 2:16 unknown name `n`
  not defined here
  a size parameter is declared before the parameters: `[n]`
