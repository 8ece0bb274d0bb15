-- case: run ( 8i32 )
-- let with wildcard/tuple
def main (x: i32) = let (_, (y, _)) = (1i32, (x, 2i32)) in y
-- ---
8i32
