-- case: run ()
def main = ("hello", "", "a\tb\"c\"\\")
-- ---
[104u8, 101u8, 108u8, 108u8, 111u8]
empty([0]u8)
[97u8, 9u8, 98u8, 34u8, 99u8, 34u8, 92u8]
