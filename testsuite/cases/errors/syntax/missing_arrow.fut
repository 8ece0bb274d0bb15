-- case: check
def main (xs: []i32) = map (\x x + 1) xs
-- ---
E0110 2:34 expected a pattern, `->` or `:`, found the operator `+`
