-- case: check
def main (xs: []i32) = map (\x -> (+ x)) xs
-- ---
E0215 2:28 this function takes 2 arguments, but is given 1 here
  this is i32 -> i32 -> i32
  2:24 expected i32 -> _ as argument 1 of this
