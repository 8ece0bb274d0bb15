-- case: check
def main (xs: *[]i32) = map (\i -> xs with [i] = 0) [0, 1]
-- ---
E0403 2:36 `xs` is consumed, but it is bound outside this function, which may run more than once
  consumed by this update
  2:10 bound here
  `copy` makes a value that can be consumed
