-- case: run ( 3i32 )
def const () = 5i32
def main (x: i32) = x + const ()
-- ---
8i32
