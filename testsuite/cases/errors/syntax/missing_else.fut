-- case: check
def main (x: i32) = if x > 1 then x
-- ---
E0111 3:1 expected `else`, found the end of the text
