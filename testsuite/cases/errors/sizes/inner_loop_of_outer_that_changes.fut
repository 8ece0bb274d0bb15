-- case: check
def dot [n] (a: [n]i64) (b: [n]i64) = i64.sum (map2 (*) a b)
def f [d] (k: i64) (c: [d][d]i64) =
  loop c for _i < k do
    let v = loop v = replicate d 1 for _j < 3 do map (dot v) c
    in filter (\row -> row[0] > v[0]) c
def g [d] (k: i64) (c: [d][d]i64) =
  map (\x -> loop (v, w) = (c[0], c[1]) for i < k do (if x[0] > i then v else w, v ++ w)) c
-- ---
-- E0301 4:8 the sizes [m] and [d] differ
--   expected [_][m]i64, this is [d][d]i64
--   3:8 the size d is a parameter
--   5:13 this size may change from iteration to iteration
--   5:5 the body needs [_][m]i64
--   if they are equal when the program runs, say so with `:>`
-- E0302 5:5 the size m isn't known where it is needed
--   this is [k][_]i64
--   5:13 this size may change from iteration to iteration
--   4:8 the loop's parameter has the type [m][m1]i64
-- E0302 6:39 the size m isn't known where it is needed
--   this is [_][m]i64
--   5:13 this size may change from iteration to iteration
--   6:8 expected [_]_ as argument 2 of this
-- E0302 8:7 the size of this function's result is not the same for all arguments
--   this is [d]i64 -> ?[m][m1].([m]i64, [m1]i64)
--   8:3 expected [d]i64 -> _ as argument 1 of this
--   compute the size before the function, bind it with `let`, or coerce the result with `:>`
