-- case: run ( [1i32, 2i32, 3i32, 4i32, 5i32] )
def main [n] (xs: [n]i32) = let h = n / 2 let (a, b) = (xs[:h], xs[h:]) in (a, b, b ++ a, map (\i -> xs[i * 2]) (iota (h + 1)))
-- ---
[1i32, 2i32]
[3i32, 4i32, 5i32]
[3i32, 4i32, 5i32, 1i32, 2i32]
[1i32, 3i32, 5i32]
