-- case: check
type pair 'a 'b = (a, b)
def main (p: pair i32) = p
-- ---
E0214 3:14 `pair` takes 2 arguments, 1 are given
