-- case: run ()
def main = (i8.num_bits, u16.num_bits, i32.num_bits, f32.num_bits, f64.num_bits)
-- ---
8i32
16i32
32i32
32i32
64i32
