-- case: run ( 3i32 )
def main (x: i32) = let y = x + 1 in let z = y * 2 in z - x
-- ---
5i32
