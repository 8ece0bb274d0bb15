-- case: run ( [1i64, 0i64] )
def main (xs: []i64) = map (\x -> 10 // x) xs
-- ---
division by zero at division_by_zero_in_map.fut:2:35 in main
