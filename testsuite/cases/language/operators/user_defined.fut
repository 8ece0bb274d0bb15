-- case: run ( 1i32 2i32 )
def (a: i32, b: i32) +^ (c: i32, d: i32) = (a + c, b + d)
def (*^) (k: i32) (a: i32, b: i32) = (k * a, k * b)
def main (x: i32) (y: i32) = (x, y) +^ y *^ (x, y)
-- ---
3i32
6i32
