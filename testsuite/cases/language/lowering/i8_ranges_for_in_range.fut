-- case: run ( 6i32 )
-- i8 ranges & for in range
def main (n: i32) = loop acc = 0 for i in 0..2...n do acc + i
-- ---
12i32
