-- case: run ( 100i8 )
-- Steps that would leave the type's range end the range.
def main (x: i8) = (0..x..<127, x..0...(-100), 127..0...(-127))
-- ---
[0i8, 100i8]
[100i8, 0i8, -100i8]
[127i32, 0i32, -127i32]
