-- case: run ( 3i32 )
def map (x: i32) = x * 2
def main (x: i32) = let iota = map x in iota + x
-- ---
9i32
