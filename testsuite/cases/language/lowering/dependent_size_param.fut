-- case: run ( [1i32, 2i32] )
-- dependent size param
def f (n: i64) (xs: [n]i32) = reduce (+) 0 xs def main [k] (xs: [k]i32) = f k xs
-- ---
3i32
