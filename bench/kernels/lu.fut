-- LU decomposition without pivots, in place: each step divides the column below the diagonal and takes the product of that column
-- and the row right of the diagonal from the rest.
-- ==
-- notest script input { dominant 1024i64 }
-- nobench input { [[2f32, 1f32, 1f32], [4f32, 3f32, 3f32], [8f32, 7f32, 9f32]] }
-- output { [[2f32, 1f32, 1f32], [2f32, 1f32, 1f32], [4f32, 3f32, 2f32]] }

-- A matrix that needs no pivots.
entry dominant (n: i64): [n][n]f32 =
  tabulate_2d n n (\i j -> f32.i64 ((i * 7919 + j * 104729) % 1009) / 1009 + (if i == j then f32.i64 n else 0))

entry main [n] (a: *[n][n]f32): [n][n]f32 =
  loop a for k < n - 1 do
    let pivot = a[k, k]
    let factors = map (\x -> x / pivot) a[k + 1:, k]
    let row = copy a[k, k + 1:]
    let rest = map2 (\factor line -> map2 (\x y -> x - factor * y) line row) factors a[k + 1:, k + 1:]
    let a[k + 1:, k] = factors
    let a[k + 1:, k + 1:] = rest
    in a
