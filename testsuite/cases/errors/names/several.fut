-- case: check
def f (x: i32) = y
def main (x: i32) = z + f w
-- ---
E0201 2:18 unknown name `y`
  not defined here
E0201 3:21 unknown name `z`
  not defined here
E0201 3:27 unknown name `w`
  not defined here
