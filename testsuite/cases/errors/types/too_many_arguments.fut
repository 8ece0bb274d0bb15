-- case: check
def f (x: i32) = x
def main (x: i32) = f x x
-- ---
E0205 3:21 too many arguments: the function takes 1 argument, 2 are given
  after 1 argument this gives i32
