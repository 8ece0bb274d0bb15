-- case: check
def main (x: i32) = +x
-- ---
E0110 2:21 expected an expression, found the operator `+`
