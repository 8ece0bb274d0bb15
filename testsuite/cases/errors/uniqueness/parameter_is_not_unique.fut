-- case: check
def main (xs: []i32) = xs with [0] = 1
-- ---
E0402 2:24 `xs` is consumed, but it is a parameter without `*`
  consumed by this update
  2:10 bound here
  write `*` before the type of the parameter, or `copy` its value
