-- case: run ( [1i32, 2i32] [10i32, 20i32] )
def main [n] (xs: [n]i32) (ys: [n]i32) =
  (map2 (+) xs ys, map3 (\a b c -> a + b * c) xs ys xs, map4 (\a b c d -> a + b + c - d) xs ys xs ys,
   map5 (\a b c d e -> a + b + c + d * e) xs ys xs ys xs)
-- ---
[11i32, 22i32]
[11i32, 42i32]
[2i32, 4i32]
[22i32, 64i32]
