-- case: run ( [3i32, 4i32] )
-- def point free
def sum = reduce (+) 0i32 def main [n] (xs: [n]i32) = sum xs
-- ---
7i32
