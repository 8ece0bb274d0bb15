-- case: check
def main (x: i32) = x $ 1
-- ---
E0110 2:23 expected an operator or the next declaration, found `$`
  `f <| x` applies a function to everything on the right
