-- case: check
def (&&) (a: bool) (b: bool) = a
def main (a: bool) = a && a
-- ---
E0211 2:6 `&&` cannot be defined anew: it evaluates its operands when needed
