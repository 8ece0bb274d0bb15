-- case: run ( 3i32 )
def main (n: i32) = loop n for _i < n do n + 1
-- ---
6i32
