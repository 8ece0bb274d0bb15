-- case: check
def main (count: i32) = conut + 1
-- ---
E0201 2:25 unknown name `conut`
  not defined here
  did you mean `count`?
