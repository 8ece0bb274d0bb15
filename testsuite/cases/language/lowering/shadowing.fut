-- case: run ( 1i32 )
-- shadowing
def main (x: i32) = let x = x + 1 let x = x * 2 in x
-- ---
4i32
