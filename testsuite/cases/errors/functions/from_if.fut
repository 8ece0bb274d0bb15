-- case: check
def main (b: bool) (x: i32) = (if b then (+ 1) else (* 2)) x
-- ---
E0215 2:32 a value of type _ -> _ cannot be used here
  functions cannot be compared, and cannot be elements of arrays or results of `if` and `loop`; a type parameter declared 'a has no operators
