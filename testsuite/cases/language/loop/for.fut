-- case: run ( 5i32 )
def main (n: i32) = loop s = 0 for i < n do s + i * i
-- ---
30i32
