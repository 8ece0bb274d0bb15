-- case: check
def f (x: i32) = x
def main (x: i32) = f == f
-- ---
E0215 3:21 a value of type i32 -> i32 cannot be used here
  3:23 argument 1 of this
  functions cannot be compared, and cannot be elements of arrays or results of `if` and `loop`; a type parameter declared 'a has no operators
