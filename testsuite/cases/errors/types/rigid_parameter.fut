-- case: check
def f 'a (x: a) : a = x + 1
def main (x: i32) = f x
-- ---
E0209 2:23 expected a number, found a
  2:25 argument 1 of this
