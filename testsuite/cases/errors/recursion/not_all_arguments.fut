-- case: check
-- Language reference, "Recursive functions", rule 3.
def repeat (n: i64) (f: i64 -> i64) (x: i64): i64 =
  if n == 0 then x else let g = repeat (n - 1) f in g (f x)
-- ---
-- E0219 4:33 `repeat` takes a function, so in its own body it must be applied to all its arguments
