-- case: check
def f (xs: *[]i32) = xs with [0] = 1
def main (xs: []i32) = f xs
-- ---
E0402 3:26 `xs` is consumed, but it is a parameter without `*`
  consumed by passing it to `f`
  3:10 bound here
  write `*` before the type of the parameter, or `copy` its value
