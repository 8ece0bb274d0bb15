-- case: check
def f (x: i32) = x +
def g (x: i32) = (x
def main (x: i32) = x
-- ---
E0110 3:1 expected an expression, found the keyword `def`
E0112 3:18 this `(` is never closed
  4:1 `)` was expected before this
