-- case: run ( true [1i32, 2i32] )
-- tuple of arrays if
def main [n] (b: bool) (xs: [n]i32) = let (p, q) = if b then (xs, map (+ 1) xs) else (map (* 2) xs, xs) in map2 (+) p q
-- ---
[3i32, 5i32]
