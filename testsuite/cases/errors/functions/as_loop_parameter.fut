-- case: check
def main (n: i32) = (loop f = (+ 1) for _i < n do f) n
-- ---
E0215 2:31 a value of type _ -> _ cannot be used here
  functions cannot be compared, and cannot be elements of arrays or results of `if` and `loop`; a type parameter declared 'a has no operators
