-- case: check
def main (b: bool) (x: i32) = if b then x else [x]
-- ---
E0204 2:48 expected i32, found [1]i32
  this is [1]i32
  2:41 because the other branch gives i32
