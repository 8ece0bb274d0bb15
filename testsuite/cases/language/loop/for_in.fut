-- case: run ( [3i32, 1i32, 4i32] )
def main (xs: []i32) = loop s = 0 for x in xs do s * 10 + x
-- ---
314i32
