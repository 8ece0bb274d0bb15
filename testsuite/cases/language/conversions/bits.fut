-- case: run ( 1.5f32 )
def main (x: f32) = (f32.to_bits x, f32.from_bits 0x7f800000, f64.to_bits 1, f64.from_bits 0x4000000000000000, f16.to_bits 1)
-- ---
1069547520u32
f32.inf
4607182418800017408u64
2.0f64
15360u16
