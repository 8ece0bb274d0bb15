-- case: check
def main (x: i32) = [(+ 1), (* 2)][0] x
-- ---
E0215 2:22 a value of type _ -> _ cannot be used here
  functions cannot be compared, and cannot be elements of arrays or results of `if` and `loop`; a type parameter declared 'a has no operators
