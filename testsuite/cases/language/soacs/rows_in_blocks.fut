-- case: run ( [[1i64, 2i64, 3i64, 4i64, 5i64], [2i64, 1i64, 7i64, 1i64, 1i64], [1i64, 1i64, 0i64, 0i64, 4i64]] )
-- On a device a block does all that is done with a row: arrays of a row that take turns in a loop, scalars that a loop carries, several scans and reductions, branches on
-- what a reduction gave, and an element that is changed in between.
def turns [m] (xs: [m]i64) =
  loop (xs, s) = (xs, 0) for i < 3i64 do
    let ys = map (\j -> xs[m - 1 - j] + s) (iota m)
    in (ys, s + i64.sum ys * i)

def scans [m] (xs: [m]i64) =
  let sums = scan (+) 0 xs
  let most = scan i64.max 0 (map (% 5) sums)
  let sums = copy sums with [m - 1] = most[0]
  let all = i64.sum sums
  let step = if all % 2 == 0 then (loop s = all for _i < 2i32 do s / 2) else all
  in map2 (\x y -> x * step - y) (reverse sums) most

def least [m] (xs: [m]i64) =
  let lesser (x, i) (y, j) = if x < y || (x == y && i < j) then (x, i) else (y, j)
  let mean = i64.sum xs / m
  let far = map (\x -> i64.abs (x - mean)) xs
  let (value, at) = reduce_comm lesser (i64.highest, m) (zip far (iota m))
  in (value, xs[at])

def main [n][m] (xss: [n][m]i64) =
  let (ys, sums) = unzip (map turns xss)
  let (values, elements) = unzip (map least xss)
  in (ys, sums, map scans xss, values, elements)
-- ---
[[20i64, 19i64, 18i64, 17i64, 16i64], [13i64, 13i64, 19i64, 13i64, 14i64], [10i64, 6i64, 6i64, 7i64, 7i64]]
[195i64, 156i64, 78i64]
[[20i64, 207i64, 123i64, 60i64, 18i64], [12i64, 74i64, 67i64, 18i64, 11i64], [1i64, 2i64, 2i64, 2i64, 0i64]]
[0i64, 0i64, 0i64]
[3i64, 2i64, 1i64]
