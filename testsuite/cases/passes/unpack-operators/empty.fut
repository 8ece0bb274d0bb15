-- case: run main ( 0i64 )
-- Of nothing: the neutral element, and no rows.
def times (a: [4]i32) (b: [4]i32) : [4]i32 =
  [a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]]
entry main (n: i64) =
  let a = tabulate n (\i -> [i32.i64 i, 1, 2, 3])
  in (reduce times [1, 0, 0, 1] a, scan times [1, 0, 0, 1] a)
-- ---
-- [1i32, 0i32, 0i32, 1i32]
-- empty([0][4]i32)
