-- case: run ( [3i64, 1i64, 4i64] )
-- Inner matrices, transposed.
def main (xs: []i64) = map (\n -> let m = tabulate_2d n n (\i j -> if i == j then (i+1)*(i+1) else 0) in i64.sum (map i64.sum (transpose m))) xs
-- ---
[14i64, 1i64, 30i64]
