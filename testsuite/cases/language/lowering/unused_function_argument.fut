-- case: run ( 1i32 )
-- unused function argument
def main (x: i32) = let f (_: i32) (b: i32) = b in f x 3
-- ---
3i32
