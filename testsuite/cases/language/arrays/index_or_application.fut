-- case: run ( [1i32, 2i32] )
-- With a space it is an application to an array literal.
def f (xs: [1]i64) = xs[0] + 1
def main (xs: []i32) = (f [1], xs[1], i32.sum [3, 4])
-- ---
2i64
2i32
7i32
