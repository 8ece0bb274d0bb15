-- case: run main ( [3i64, 0i64, 9i64, 1i64, 5i64] 4i64 )
-- Arrays of threads whose sizes differ, but are no more than a number that all know: the smaller of two, a sum, a product with a constant, a choice by way of names.
entry main [n] (xs: [n]i64) (most: i64) =
  let summed (size: i64) (x: i64) = loop s = 0 for v in scan (+) x (iota size) do s * 3 + v
  let a = map (\x -> summed (i64.min x most) x) xs
  let b = map (\x -> let size = 2 * i64.min 3 x + 1 in summed size x) xs
  let c = map (\x -> let size = i64.max 1 (i64.min most (x - 1)) in (loop r = replicate size x for i < size do r with [i] = r[0] + i)[size - 1]) xs
  let d = map (\x -> let size = i64.min (x + 1) (most + 2) - 1 in i64.sum (loop r = iota size for _i < 3 do map2 (+) r (reverse r))) xs
  in (a, b, c, d)
-- ---
-- [45i64, 0i64, 384i64, 1i64, 224i64]
-- [4083i64, 0i64, 10641i64, 19i64, 6269i64]
-- [4i64, 0i64, 12i64, 1i64, 8i64]
-- [24i64, 0i64, 80i64, 0i64, 80i64]
