-- case: run ( [5i32] )
-- empty array of type param
def none 'a (_: a): []a = []
def main [n] (xs: [n]i32) = length (none xs)
-- ---
0i64
