-- case: run ( [0i32, 1i32, 2i32] )
def main [n] (xs: [n]i32) = (xs[1:1], xs[n:], xs[:0], xs[0:0:-1], xs[n - 1:n - 1:-1], xs[3:3:2])
-- ---
empty([0]i32)
empty([0]i32)
empty([0]i32)
empty([0]i32)
empty([0]i32)
empty([0]i32)
