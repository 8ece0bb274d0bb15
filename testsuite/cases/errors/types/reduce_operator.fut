-- case: check
def main (xs: []i32) = reduce (\a x -> a && x > 0) true xs
-- ---
E0209 2:49 expected bool, found a number
  2:47 expected bool as argument 2 of this
E0204 2:57 expected [_]bool, found [_]i32
  this is [_]i32
  2:24 expected [_]bool as argument 3 of this
  bool and i32 differ
