-- case: run ( 3i32 )
-- ad.fut, jvp2 and vjp2: the value first.
def main (x: i32) = (jvp2 (\x -> x * x) x 1, vjp2 (\x -> x * x) x 10)
-- ---
9i32
6i32
9i32
60i32
