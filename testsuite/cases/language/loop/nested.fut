-- case: run ( 4i32 )
def main (n: i32) = loop s = 0 for i < n do loop s for j < i do s + i * j
-- ---
11i32
