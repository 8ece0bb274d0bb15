-- case: run ( 3i64 )
-- unzip results of map
def main (n: i64) = let (a, b) = unzip (map (\i -> (i, i * i)) (iota n)) in map2 (-) b a
-- ---
[0i64, 0i64, 2i64]
