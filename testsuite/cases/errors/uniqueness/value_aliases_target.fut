-- case: check
def main (xs: *[]i32) = xs with [1:] = xs[:1]
-- ---
E0409 2:40 the value may be part of the array that is updated with it
  2:25 the array
  write `copy` before the value
