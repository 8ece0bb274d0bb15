-- case: run ( 1i32 2i32 )
def main (x: i32) (y: i32) = let (x, y) = (y, x) in (x, y)
-- ---
2i32
1i32
