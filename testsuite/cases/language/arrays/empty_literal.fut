-- case: run ()
def main = ([]: []i32, ([]: [0]bool) ++ [true], length ([]: [][3]f32))
-- ---
empty([0]i32)
[true]
0i64
