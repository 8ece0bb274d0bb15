-- case: run ()
def main = (0xff, 0xFFu8, 0Xdead_beefu32, 0x7fffffffffffffffi64, 0xcafei16 == -13570)
-- ---
255i32
255u8
3735928559u32
9223372036854775807i64
true
