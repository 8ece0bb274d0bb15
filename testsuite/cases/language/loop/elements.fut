-- case: run ( [1i64,2i64,3i64] [2i64,0i64,1i64] 2i64 )
-- Loops of maps whose elements go through all iterations by themselves: with the counter, over rows, two arrays that change places, a number that goes along, a matrix, none, one that looks elsewhere, one longer than a strip, and a product by rows.
def main [n] (xs: [n]i64) (ys: [n]i64) (steps: i64) =
  let counted = loop x = xs for k < steps do map2 (\x y -> x * y + k) x ys
  let rows = loop x = xs for row in [xs, ys, xs] do map2 (\x r -> x * 2 + r) x row
  let (turned, others) = loop (x, y) = (xs, ys) for _k < steps + 1 do (map2 (+) x y, map (* 2) x)
  let (grown, last) = loop (x, t) = (xs, 10) for k < steps do (map (+ t) x, t - k - 1)
  let matrix = loop a = [xs, ys] for k < steps do map (map (\x -> if x > 1 then x - 1 else x + k)) a
  let none = loop x = xs for _k < steps - 2 do map (* 7) x
  let back = loop x = xs for _k < steps do map2 (\x y -> x - y) x (reverse x)
  let long = loop x = iota 1100 for k < steps + n do map (\x -> x * 3 - k) x
  let sums = loop acc = map (\_ -> replicate 9 1) xs for _k < steps do map (map (+ 1)) acc
  let product = map2 (\x row -> loop acc = row for k < n do map2 (\c y -> c + x * y) acc sums[k]) xs sums
  in (counted, rows, turned, others, grown, last, matrix, none, back, long[0], long[1], long[1023], long[1024], i64.sum long, product)
-- ---
-- [5i64, 1i64, 4i64]
-- [17i64, 26i64, 41i64]
-- [11i64, 10i64, 18i64]
-- [10i64, 12i64, 20i64]
-- [20i64, 21i64, 22i64]
-- 7i64
-- [[2i64, 2i64, 1i64], [2i64, 1i64, 2i64]]
-- [1i64, 2i64, 3i64]
-- [-4i64, 0i64, 4i64]
-- -58i64
-- 185i64
-- 248531i64
-- 248774i64
-- 146817550i64
-- [[12i64, 12i64, 12i64, 12i64, 12i64, 12i64, 12i64, 12i64, 12i64], [21i64, 21i64, 21i64, 21i64, 21i64, 21i64, 21i64, 21i64, 21i64], [30i64, 30i64, 30i64, 30i64, 30i64, 30i64, 30i64, 30i64, 30i64]]
