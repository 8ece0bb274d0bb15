-- case: check
def main = 12i33
-- ---
E0102 2:12 `i33` is not the suffix of a number; known are i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64
