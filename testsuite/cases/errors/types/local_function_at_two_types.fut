-- case: check
-- Language reference, "Binding Expressions": a local function is not generalised over types by itself.
def main (x: i32) = let pair y = (y, x) in (pair 1u8, pair true)
-- ---
-- E0204 3:60 expected u8, found bool
--   this is bool
--   3:55 expected u8 as argument 1 of this
