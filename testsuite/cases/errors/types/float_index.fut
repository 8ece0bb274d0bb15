-- case: check
def main (xs: []i32) (x: f32) = xs[x]
-- ---
E0209 2:36 expected an integer, found f32
