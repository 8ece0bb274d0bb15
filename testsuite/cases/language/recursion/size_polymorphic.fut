-- case: run ( [1i32, 2i32, 3i32, 4i32] )
-- Language reference, "Recursive functions": size parameters that are declared may be others in each call.
def sum_of [n] (xs: [n]i32): i32 =
  if n == 0 then 0 else if n == 1 then xs[0] else sum_of (take (n / 2) xs) + sum_of (drop (n / 2) xs)
def main xs = sum_of xs
-- ---
10i32
