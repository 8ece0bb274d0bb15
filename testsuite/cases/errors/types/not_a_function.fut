-- case: check
def main (x: i32) = x 1
-- ---
E0205 2:21 a value of type i32 is applied as if it were a function
  not a function
