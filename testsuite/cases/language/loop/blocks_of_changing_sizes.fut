-- case: run ( [2i64,0i64,3i64,1i64] )
-- Arrays of a size of each iteration's own, in maps: larger ones after smaller ones, none, in two dimensions, and in loops inside.
def main [n] (ks: [n]i64) =
  let last (a: []i64) = if length a == 0 then -1 else a[length a - 1]
  let sums = map (\k -> last (loop a = replicate k 1 for i < k do a with [i] = i + if i > 0 then a[i - 1] else k)) ks
  let squares = map (\k -> let a = loop a = replicate k (replicate k 0) for i < k do a with [i, i] = i + k in i64.sum (flatten a)) ks
  let inner = map (\k -> loop s = 0 for j < k do let a = loop a = iota (j + 1) for i < j do a with [i] = a[i + 1] * 2 in s * 3 + i64.sum a) ks
  let shrinking = map (\k -> loop s = k for j < 4 do s + last (reverse (loop a = iota (4 - j) for i < 3 - j do a with [i] = a[i] + k))) ks
  in (sums, squares, inner, shrinking)
-- ---
-- [3i64, -1i64, 6i64, 1i64]
-- [5i64, 0i64, 12i64, 1i64]
-- [3i64, 0i64, 17i64, 0i64]
-- [8i64, 0i64, 12i64, 4i64]
