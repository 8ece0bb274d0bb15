-- case: run ( 5i32 )
def main (n: i32) = let acc = 1 in loop acc for i < n do acc * (i + 1)
-- ---
120i32
