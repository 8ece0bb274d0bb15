-- case: check
def f (x: i32) (y: i32) = x + y
def main (x: i32) = f x + 1
-- ---
E0209 3:21 expected a number, found i32 -> i32
  3:25 argument 1 of this
