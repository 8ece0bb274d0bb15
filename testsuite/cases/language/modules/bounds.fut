-- case: run ()
def main = (i8.lowest, i8.highest, i64.highest, u16.lowest, u16.highest, f32.highest, f64.lowest, f16.highest)
-- ---
-128i8
127i8
9223372036854775807i64
0u16
65535u16
f32.inf
-f64.inf
f16.inf
