-- case: check
def f 'a (x: a) : a = x
def main (x: i32) = f (+ 1) x
-- ---
E0215 3:23 a value of type _ -> _ cannot be used here
  3:21 argument 1 of this
  functions cannot be compared, and cannot be elements of arrays or results of `if` and `loop`; a type parameter declared 'a has no operators
