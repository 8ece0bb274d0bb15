-- case: run ( 5i32 )
def main (n: i32) = (n..<n, n..>n, 0..<0i64, 1..2..<1i8)
-- ---
empty([0]i32)
empty([0]i32)
empty([0]i64)
empty([0]i8)
