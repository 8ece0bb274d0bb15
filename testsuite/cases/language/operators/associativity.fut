-- case: run ( 100i32 7i32 2i32 )
def main (a: i32) (b: i32) (c: i32) = (a - b - c, a / b / c, a - b + c, c ** b - c, 2i32 ** 3 ** 2, 1i32 << 2 << 3)
-- ---
91i32
7i32
95i32
126i32
64i32
32i32
