-- case: check
def f (x: i32) = x
def f (x: i32) = x + 1
def main (x: i32) = f x
-- ---
E0211 3:5 `f` is defined twice
  2:5 first defined here
