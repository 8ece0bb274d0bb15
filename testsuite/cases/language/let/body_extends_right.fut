-- case: run ( 3i32 )
def main (x: i32) = 1 + let y = x in y * 2 + y
-- ---
10i32
