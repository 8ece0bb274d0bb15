-- case: run ( [3i32] )
-- curried def partial
def add3 (a: i32) (b: i32) (c: i32) = a + b * c def main [n] (xs: [n]i32) = map (add3 1 2) xs
-- ---
[7i32]
