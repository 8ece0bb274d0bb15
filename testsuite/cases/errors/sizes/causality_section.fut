-- case: check
-- Language reference, "Causality restriction": the operator of a section comes before its operand.
def main (xs: []i32) (xss: [][]i32) = map (filter (> 0) xs ++) xss
-- ---
-- E0306 3:60 the size k isn't known here yet
--   3:44 the size k is decided by this when it runs
--   bind what decides the size with `let` before this
