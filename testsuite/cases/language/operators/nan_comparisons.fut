-- case: run ( f32.nan 1f32 )
def main (n: f32) (x: f32) = (n == n, n != n, n < x, n > x, n <= n, n >= x, n == x)
-- ---
false
true
false
false
false
false
false
