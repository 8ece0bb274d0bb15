-- case: check
def main (x: i32) = (\(1, y) -> y) (x, x)
-- ---
-- E0213 2:23 this pattern does not match `(_, _)`
--   may not match
--   only `match` takes patterns that may not match
