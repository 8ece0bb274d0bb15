-- case: run ( [1i32, 2i32] [3i32, 4i32] )
def main [n] (xs: [n]i32) (ys: [n]i32) =
  (map (\(a, b) -> a * b) (zip xs ys), map2 (\{p, q = _} _ -> p) (map (\x -> {p = x, q = x}) xs) ys, map (\_ -> 1i32) xs)
-- ---
[3i32, 8i32]
[1i32, 2i32]
[1i32, 1i32]
