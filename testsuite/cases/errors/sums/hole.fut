-- case: run ( 1i32 )
def main (x: i32): i32 = if x > 0 then ??? else 0
-- ---
-- Reached hole at hole.fut:2:40 in main
