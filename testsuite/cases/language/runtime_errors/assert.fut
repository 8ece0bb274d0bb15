-- case: run ( 1i32 )
def main (x: i32) = assert (x > 1) x
-- ---
Assertion is false: (x > 1) at assert.fut:2:21 in main
