-- case: check
-- Language reference, "Recursive functions", rule 3.
def go (g: i64 -> i64) (n: i64): i64 = if n == 0 then g 0 else go (\x -> g x * 2) (n - 1)
-- ---
-- E0219 3:67 a recursive call must pass the function `g` on unchanged
