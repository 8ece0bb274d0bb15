-- case: run ( [5i32] )
-- type param only in result
def dflt 'a (x: a) (n: i64): [n]a = replicate n x
def main [n] (xs: [n]i32) = dflt xs 2
-- ---
[[5i32], [5i32]]
