-- case: check
def main (x: i32) =
-- ---
E0111 3:1 expected an expression, found the end of the text
