-- case: run ( 6i32 )
-- big tuple
def main (x: i32) = (x, (x, [x]), {a = x, b = (x, x)}).2.b.1
-- ---
6i32
