-- case: run ( [3i64,-1i64,4i64,1i64,-5i64] )
-- Iterations that do not wait for each other, in loops: rows that each writes or leaves, sums from a first value, counts, elements at places that are written
-- several times, and the greatest for each of some cells.
def main [n] (xs: [n]i64) =
  let squares = loop ys = replicate n 0 for i < n do ys with [i] = xs[i] * xs[i]
  let positive = loop ys = replicate n 7 for i < n do if xs[i] > 0 then ys with [i] = xs[i] else ys
  let (sum, all, least, negative) =
    loop (s, a, l, c) = (100, true, 2, 0i32) for x in xs do (s + x, a && (x < 4), i64.min x l, if x < 0 then c + 1 else c)
  let last = loop ps = replicate 3 (-1) for i < n do ps with [xs[i] % 3] = i
  let greatest = loop gs = [0, 0] for x in xs do gs with [x & 1] = i64.max x gs[x & 1]
  let table = loop t = replicate n (replicate 2 0) for i < n do loop t for j < 2 do t with [i, j] = xs[i] * 10 + j
  let few = loop (c, hs) = (1, replicate 2 0i8) for i < n - 1 do if xs[i] < xs[i + 1] then (c, hs) else (c * 3, hs with [i & 1] = hs[i & 1] - 1)
  in (squares, positive, (sum, all, least, negative), last, greatest, table, few)
-- ---
-- [9i64, 1i64, 16i64, 1i64, 25i64]
-- [3i64, 7i64, 4i64, 1i64, 7i64]
-- 102i64
-- false
-- -5i64
-- 2i32
-- [0i64, 4i64, 1i64]
-- [4i64, 3i64]
-- [[30i64, 31i64], [-10i64, -9i64], [40i64, 41i64], [10i64, 11i64], [-50i64, -49i64]]
-- 27i32
-- [-2i8, -1i8]
