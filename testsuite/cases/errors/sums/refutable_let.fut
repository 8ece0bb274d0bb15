-- case: check
def main (t: #a i32 | #b) = let #a x = t in x
-- ---
-- E0213 2:33 this pattern does not match `#b`
--   may not match
--   only `match` takes patterns that may not match
