-- case: run ( [-1i8, 1i8, 2i8] [1i8, 1i8, -128i8] )
def main [n] (xs: [n]i8) (ys: [n]i8) =
  (map2 (<) xs ys, map2 (<=) xs ys, map2 (>) xs ys, map2 (>=) xs ys, map2 (==) xs ys, map2 (!=) xs ys)
-- ---
[true, false, false]
[true, true, false]
[false, false, true]
[false, true, true]
[false, true, false]
[true, false, true]
