-- case: check
def f 'a 'b (x: a) (y: b) : a = y
def main (x: i32) = f x x
-- ---
E0204 2:33 expected a, found b
  this is b
  2:29 because the result has the type a
