-- case: run ()
-- A character is the number of its code point, of the type that the use asks for.
def main = ('a', 'Z' : u8, ' ' : i64, '\n', '\'' : u8, '\\', 'é')
-- ---
97i32
90u8
32i64
10i32
39u8
92i32
233i32
