-- case: run ()
def main = (0x1.fp3, 0x1.8p1f32, 0x0.1p-4f64, 0xA.0P0f32)
-- ---
15.5f64
3.0f32
0.00390625f64
10.0f32
