-- case: run ( 18446744073709551615u64 1u64 )
def main (x: u64) (y: u64) = (x < y, x > y, u64.max x y, u64.min x y)
-- ---
false
true
18446744073709551615u64
1u64
