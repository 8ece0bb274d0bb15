-- case: run ( 3i64 )
-- map to unit
def main (n: i64) = length (map (\_ -> ()) (iota n))
-- ---
3i64
