-- case: run ( 2i64 )
-- reduce of empties neutral array
def main (m: i64) = reduce (map2 (+)) (replicate m 1i32) ([] : [0][m]i32)
-- ---
[1i32, 1i32]
