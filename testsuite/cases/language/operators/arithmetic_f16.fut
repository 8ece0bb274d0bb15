-- case: run ( 1.5f16 0.1f16 )
-- Every operation rounds to f16.
def main (x: f16) (y: f16) = (x + y, x - y, x * y, x / y, 60000f16 + 60000f16)
-- ---
1.6f16
1.4f16
0.1499f16
15.0f16
f16.inf
