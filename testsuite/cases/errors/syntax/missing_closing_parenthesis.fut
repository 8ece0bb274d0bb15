-- case: check
def main (x: i32) = (x + 1
def f (y: i32) = y
-- ---
E0112 2:21 this `(` is never closed
  3:1 `)` was expected before this
