-- case: run ( 4294967295u32 -2i32 )
def main (x: u32) (y: i32) = (u32.mul_hi x x, i32.mul_hi y 5, u8.mul_hi 16 16, u64.mul_hi 0x8000000000000000 6, u32.mad_hi x x 7)
-- ---
4294967294u32
-1i32
1u8
3u64
5u32
