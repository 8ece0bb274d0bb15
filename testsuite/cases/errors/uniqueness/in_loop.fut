-- case: check
def main (xs: *[]i32) (n: i32) =
  loop s = 0 for i < n do
    let ys = xs with [0] = i
    in s + ys[0]
-- ---
E0403 4:14 `xs` is consumed, but it is bound outside this loop, whose body may run more than once
  consumed by this update
  2:10 bound here
  make it a parameter of the loop, or `copy` its value
