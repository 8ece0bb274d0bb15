-- case: run main ( [[1i64, 2i64, 3i64, 4i64], [5i64, 6i64, 7i64, 8i64], [3i64, 0i64, 9i64, 2i64], [4i64, 4i64, 1i64, 6i64]] [0i64, 3i64, 2i64] )
-- Sweeps of iterations whose sizes these compute: by a name that all have alike, and by a number that is read; triangular ones, whose rows have different lengths.
entry main [n] [m] [k] (a: [n][m]i64) (at: [k]i64) =
  let inner (x: i64) = loop t = map (map (+ x)) a for i < n - 2 do
                         loop t for j < m - 2 do
                           t with [i + 1, j + 1] = (t[i, j + 1] + t[i + 1, j] * 3 + t[i + 2, j + 1] - t[i + 1, j + 2] * 5 + t[i + 2, j + 2]) % 1009
  let read (x: i64) = loop t = copy a for i < x do loop t for j < x do t with [i, j] = if i == 0 || j == 0 then j + x else (t[i - 1, j] + t[i, j - 1]) % 77
  let triangular (x: i64) = loop t = map (map (* x)) a for i < n - 1 do loop t for j < i + 1 do t with [i + 1, j] = t[i, j] + t[i + 1, j + 1]
  in (map inner at, map read at, map triangular at)
-- ---
-- [[[1i64, 2i64, 3i64, 4i64], [5i64, 1000i64, 956i64, 8i64], [3i64, 969i64, 833i64, 2i64], [4i64, 4i64, 1i64, 6i64]], [[4i64, 5i64, 6i64, 7i64], [8i64, 1003i64, 959i64, 11i64], [6i64, 972i64, 836i64, 5i64], [7i64, 7i64, 4i64, 9i64]], [[3i64, 4i64, 5i64, 6i64], [7i64, 1002i64, 958i64, 10i64], [5i64, 971i64, 835i64, 4i64], [6i64, 6i64, 3i64, 8i64]]]
-- [[[1i64, 2i64, 3i64, 4i64], [5i64, 6i64, 7i64, 8i64], [3i64, 0i64, 9i64, 2i64], [4i64, 4i64, 1i64, 6i64]], [[3i64, 4i64, 5i64, 4i64], [3i64, 7i64, 12i64, 8i64], [3i64, 10i64, 22i64, 2i64], [4i64, 4i64, 1i64, 6i64]], [[2i64, 3i64, 3i64, 4i64], [2i64, 5i64, 7i64, 8i64], [3i64, 0i64, 9i64, 2i64], [4i64, 4i64, 1i64, 6i64]]]
-- [[[0i64, 0i64, 0i64, 0i64], [0i64, 0i64, 0i64, 0i64], [0i64, 0i64, 0i64, 0i64], [0i64, 0i64, 0i64, 0i64]], [[3i64, 6i64, 9i64, 12i64], [21i64, 18i64, 21i64, 24i64], [21i64, 45i64, 27i64, 6i64], [33i64, 48i64, 45i64, 18i64]], [[2i64, 4i64, 6i64, 8i64], [14i64, 12i64, 14i64, 16i64], [14i64, 30i64, 18i64, 4i64], [22i64, 32i64, 30i64, 12i64]]]
