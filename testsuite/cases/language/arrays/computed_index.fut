-- case: run ( [3i64, 0i64, 2i64, 1i64] )
def main (p: []i64) = (map (\i -> p[i]) p, p[p[p[0]]])
-- ---
[1i64, 3i64, 2i64, 0i64]
0i64
