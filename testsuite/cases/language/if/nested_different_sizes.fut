-- case: run ( 2i64 )
def main (n: i64) = if n > 5 then iota n else if n > 1 then iota (n + 1) else []
-- ---
[0i64, 1i64, 2i64]
