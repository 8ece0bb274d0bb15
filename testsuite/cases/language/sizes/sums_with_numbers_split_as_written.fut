-- case: run ( [1i32, 2i32] )
-- The terms of a sum are told by how it is written, also where numbers in it could be added up, a name is left over, or it is made of a function's sums.
def halves 't [n][m] (xs: [n+m]t): ([n]t, [m]t) = split xs
def parts 't [n][m][k] (xs: [n+m+k]t): (i64, i64, i64) = (n, m, k)
def main [n] (xs: [n]i32) =
  let k = 1i64
  in ( halves ([0] ++ xs ++ [9])
     , halves ([0] ++ (xs ++ [9]))
     , halves (xs :> [k + (n - k)]i32)
     , halves (map (+ 1) (xs ++ xs))
     , halves (xs :> [n + 0]i32)
     , parts (xs ++ [5] ++ xs)
     , let (a, b) = split (iota (1 + k + 1)) in (length a, length b) )
-- ---
-- [0i32, 1i32, 2i32]
-- [9i32]
-- [0i32]
-- [1i32, 2i32, 9i32]
-- [1i32]
-- [2i32]
-- [2i32, 3i32]
-- [2i32, 3i32]
-- [1i32, 2i32]
-- empty([0]i32)
-- 2i64
-- 1i64
-- 2i64
-- 2i64
-- 1i64
