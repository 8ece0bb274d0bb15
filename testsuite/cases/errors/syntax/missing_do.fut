-- case: check
def main (n: i32) = loop s = 0 for i < n s + i
-- ---
E0111 3:1 expected `do`, found the end of the text
