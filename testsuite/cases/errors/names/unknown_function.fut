-- case: check
def main (xs: []i32) = reduec (+) 0 xs
-- ---
E0201 2:24 unknown name `reduec`
  not defined here
  did you mean `reduce`?
