-- case: run ( 3i64 )
def main (n: i64) = let xs = (iota n : [n]i64) in (xs : []i64, (1 : u8), n + (2 : i64))
-- ---
[0i64, 1i64, 2i64]
1u8
5i64
