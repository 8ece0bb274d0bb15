-- case: check
def main (x: i32) = (let y = x in y) + y
-- ---
E0201 2:40 unknown name `y`
  not defined here
