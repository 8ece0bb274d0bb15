-- case: run ( 240u8 -16i8 2u8 )
-- `>>` keeps the sign of a signed number and brings in zeros for an unsigned one.
def main (x: u8) (y: i8) (s: u8) = (x >> s, y >> i8.u8 s, 4294967295u32 >> 31, -1i64 >> 63)
-- ---
60u8
-4i8
1u32
-1i64
