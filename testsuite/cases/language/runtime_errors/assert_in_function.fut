-- case: run ( 3i32 )
def half (x: i32) = assert (x % 2 == 0) (x / 2)
def main (x: i32) = half (half (x + 1)) + half x
-- ---
Assertion is false: (x % 2 == 0) at assert_in_function.fut:2:21 in half
