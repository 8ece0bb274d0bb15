-- case: run ( [10i32, 20i32, 30i32] 1i8 2i16 0i32 )
-- An index may have any signed integer type.
def main (xs: []i32) (a: i8) (b: i16) (c: i32) = (xs[a], xs[b], xs[c], xs[a + 1], [xs, xs][a, c])
-- ---
20i32
30i32
10i32
30i32
10i32
