-- case: run ( 1.0000001f32 )
-- x is 1 + 2^-23: the product has a bit that a rounding before the sum would lose.
def main (x: f32) = (f32.fma x x (-1 - 2 * (x - 1)) == 0x1.0p-46f32, x * x + (-1 - 2 * (x - 1)))
-- ---
true
0.0f32
