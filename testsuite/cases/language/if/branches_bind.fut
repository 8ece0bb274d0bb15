-- case: run ( 7i32 )
def main (x: i32) = if x > 5 then let y = x * 2 in y + 1 else let y = x in y
-- ---
15i32
