-- case: run ( [5i32, 6i32] )
-- loop init from unique param
def main [n] (xs: *[n]i32) = loop xs for i < n do xs with [i] = xs[i] + 1
-- ---
[6i32, 7i32]
