-- case: run ( [3i64, 1i64, 4i64] )
-- Inner filter, map and scan of sizes that only the element decides.
def main (xs: []i64) = map (\n -> let ys = map (+1) (filter (>= 0) (iota n)) let zs = scan (+) 0 ys in (last ys - 1, last zs)) xs |> unzip
-- ---
[2i64, 0i64, 3i64]
[6i64, 1i64, 10i64]
