-- case: run main ( [7i64] [1i64, 2i64] )
-- Rows of one and two elements, and none.
entry main [n][m] (a: [n]i64) (b: [m]i64) =
  let turned [k] (xs: [k]i64) = map3 (\x y z -> x * 100 + y * 10 + z) (rotate 1 xs) (rotate (-1) xs) (rotate (-3) xs)
  in (turned a, turned b, turned ([] :> [0]i64), turned [4, 5, 6])
-- ---
-- [777i64]
-- [222i64, 111i64]
-- empty([0]i64)
-- [564i64, 645i64, 456i64]
