-- case: check
def main (x: i32) = f x
def f (x: i32) = x + 1
-- ---
E0201 2:21 unknown name `f`
  not defined here
