-- case: check
def main (x: i32) = if x > 1 x else 2
-- ---
E0110 2:32 expected `then`, found the keyword `else`
