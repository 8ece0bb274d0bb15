-- case: run ( empty([0]i32) )
def main (xs: []i32) = (xs[:], xs[0:0], xs[::-1], xs[::2])
-- ---
empty([0]i32)
empty([0]i32)
empty([0]i32)
empty([0]i32)
