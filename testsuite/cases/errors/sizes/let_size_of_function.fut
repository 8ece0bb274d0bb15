-- case: check
-- Language reference, "Binding Expressions": a size that a pattern binds is one of the value's dimensions.
def main = let [n] (f: [n]bool -> [n]bool) = (\(xs: [10]bool) -> xs) in n
-- ---
-- E0305 3:20 the size n isn't a dimension of this pattern
