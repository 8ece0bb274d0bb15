-- case: run ( 2i64 )
def n: i64 = 3
def table = map (* 2) (iota n)
def origin = (0i32, 1f32)
def main (i: i64) = (table[i], copy table, origin.1, n + length table)
-- ---
4i64
[0i64, 2i64, 4i64]
1.0f32
6i64
