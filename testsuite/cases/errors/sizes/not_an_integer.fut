-- case: check
def f (n: i32) (xs: [n]i32) = xs
def main (xs: []i32) = f 1 xs
-- ---
E0204 2:22 expected i64, found i32
  this is i32
