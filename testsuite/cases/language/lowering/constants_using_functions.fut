-- case: run ( 1i32 )
-- constants using functions
def sq (x: i32) = x * x
def c = sq 5
def main (x: i32) = c + x
-- ---
26i32
