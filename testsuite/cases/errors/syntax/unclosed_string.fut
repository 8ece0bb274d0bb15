-- case: check
def main = "hello
-- ---
E0104 2:12 this string has no closing `"` on its line
