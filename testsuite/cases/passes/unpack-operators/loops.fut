-- case: run main ( [[2i32, 0i32, 1i32], [1i32, 2i32, 0i32], [1i32, 0i32, 2i32], [0i32, 2i32, 1i32], [2i32, 1i32, 0i32]] [[1i64, 3i64, 7i64], [2i64, 2i64, 9i64], [4i64, 4i64, 8i64], [5i64, 6i64, 7i64]] 3i64 )
-- Operators with loops inside: of few iterations, with arrays that they change at places known at run time, and of a number of iterations that is known at run time;
-- the three least elements of all, in order.
def permute (f: [3]i32) (g: [3]i32) : [3]i32 =
  loop h = replicate 3 0 for i < 3 do h with [i] = g[i64.i32 f[i]]
def inverse (f: [3]i32) (g: [3]i32) : [3]i32 =
  loop h = replicate 3 0 for i < 3 do h with [i64.i32 g[i64.i32 f[i]]] = i32.i64 i
def insert (a: [3]i64) (x: i64) : [3]i64 =
  let (a, _) = loop (a, x) = (copy a, x) for i < 3 do if x < a[i] then (let y = a[i] in (a with [i] = x, y)) else (a, x)
  in a
def least (a: [3]i64) (b: [3]i64) : [3]i64 = loop a for i < 3 do insert a b[i]
entry main [n][m] (f: [n][3]i32) (a: [m][3]i64) (k: i64) =
  let sum (x: [3]i64) (y: [3]i64) : [3]i64 =
    loop z = replicate 3 0 for i < k do z with [i % 3] = x[i % 3] + y[i % 3]
  let most = i64.highest
  in ( scan permute [0, 1, 2] f
     , reduce permute [0, 1, 2] f
     , inverse f[0] f[1]
     , scan least [most, most, most] a
     , reduce least [most, most, most] (map (\row -> insert [most, most, most] row[0]) a)
     , reduce sum [0, 0, 0] a
     )
-- ---
-- [[2i32, 0i32, 1i32], [0i32, 1i32, 2i32], [1i32, 0i32, 2i32], [2i32, 0i32, 1i32], [0i32, 2i32, 1i32]]
-- [0i32, 2i32, 1i32]
-- [0i32, 1i32, 2i32]
-- [[1i64, 3i64, 7i64], [1i64, 2i64, 2i64], [1i64, 2i64, 2i64], [1i64, 2i64, 2i64]]
-- [1i64, 2i64, 4i64]
-- [12i64, 15i64, 31i64]
