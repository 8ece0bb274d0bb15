-- case: run ( 3i32 )
def main (i: i32) = let x = loop x = 0 for i < 10 do x + i in x + i
-- ---
48i32
