-- case: run ( [f32.nan] )
def main (xs: []f32) = (xs == xs, (xs[0], 1i32) != (xs[0], 1i32))
-- ---
false
true
