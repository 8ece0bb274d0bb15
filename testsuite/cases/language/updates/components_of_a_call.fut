-- case: run ( [1i32, 2i32] [3i32, 4i32] )
def second [n] (ts: ([n](i32, i32), [n](i32, i32))) = ts.1
def main [n] (xs: *[n]i32) (ys: *[n]i32) = unzip ((second (zip ys xs, zip xs ys)) with [0] = (0, 10))
-- ---
[0i32, 2i32]
[10i32, 4i32]
