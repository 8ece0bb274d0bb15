-- case: run ( 3i32 )
def main (x: i32) = let x = loop x = x + 1 for _i < 2i32 do x * 2 in x + 1
-- ---
17i32
