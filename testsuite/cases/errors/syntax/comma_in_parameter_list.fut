-- case: check
def main (x: i32), (y: i32) = x + y
-- ---
E0110 2:18 expected a pattern or `=`, found `,`
