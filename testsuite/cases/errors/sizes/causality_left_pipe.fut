-- case: check
-- Language reference, "Causality restriction": the left operand is evaluated before the right.
def main (xs: []i32) = reverse <| filter (> 0) xs
-- ---
-- E0306 3:24 the size k isn't known here yet
--   3:35 the size k is decided by this when it runs
--   bind what decides the size with `let` before this
