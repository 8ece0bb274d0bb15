-- case: run ( [1i64, 3i64, 2i64] [5i64, 1i64, 2i64] )
def main (ns: []i64) (xs: []i64) = map (\n -> let ys = filter (> n) xs in (length ys, i64.sum ys)) ns |> unzip
-- ---
[2i64, 1i64, 1i64]
[7i64, 5i64, 5i64]
