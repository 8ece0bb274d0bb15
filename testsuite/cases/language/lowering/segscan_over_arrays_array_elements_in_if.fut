-- case: run ( [[1i32], [2i32], [3i32]] [true, false, true] )
-- segscan over arrays (array elements in if)
def segscan [n] 't (op: t -> t -> t) (ne: t) (arr: [n](t, bool)): [n]t = (unzip (scan (\(x1, f1) (x2, f2) -> let f = f1 || f2 let x = if f2 then x2 else op x1 x2 in (x, f)) (ne, false) arr)).0
def main [n][m] (xs: [n][m]i32) (fs: [n]bool) = segscan (map2 (+)) (replicate m 0) (zip xs fs)
-- ---
[[1i32], [3i32], [3i32]]
