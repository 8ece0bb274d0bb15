-- case: run ( [[1.0f64, 2.0f64, 3.0f64], [4.0f64, 5.0f64, 6.0f64]] )
-- Elements of rows, of parts of rows, and of the same row under two names; before and behind an update; in branches and loops. The values are Futhark's.
def in_rows [n] [m] (a: [n][m]f64) =
  f64.sum (map (\k -> f64.sum (map (\r -> r[k] * r[(k + 1) %% m]) a)) (iota m))
def of_parts [n] [m] (a: [n][m]f64) =
  f64.sum (map (\i -> let r = a[i %% n] let p = r[1:] let q = r[::-1] let s = r[::2] in p[0] * q[0] * q[i %% m] + s[i %% 2] * p[1]) (iota 4))
def twice [n] [m] (a: [n][m]f64) =
  f64.sum (map (\i -> f64.sum (map2 (*) a[i %% n] a[(i * i) %% n])) (iota 3))
def updated [n] [m] (a: [n][m]f64) =
  loop s = 0 for i < 3 do
    let before = a[i %% n]
    let b = copy a with [i %% n] = map (* f64.i64 (i + 2)) before
    let behind = b[i %% n]
    in s + before[0] * behind[i %% m] + f64.sum (map2 (*) before behind)
def branches [n] [m] (a: [n][m]f64) =
  f64.sum (map (\i -> let r = a[0] in (loop s = 1 for j < 3 do if (i + j) % 2 == 0 then s * r[j %% m] else s + r[i %% m] * r[0])) (iota 4))
def products [n] [m] (a: [n][m]f64) =
  loop s = 1 for k < m do s * f64.sum (map (\r -> loop p = 1 for j < k + 1 do p * (1 + r[j] * r[k])) a)
def main [n] [m] (a: [n][m]f64) =
  ( vjp in_rows a 1, vjp of_parts a 1, vjp twice a 1, vjp updated a 1, vjp branches a 1, vjp products a 1 )
-- ---
-- [[5.0f64, 4.0f64, 3.0f64], [11.0f64, 10.0f64, 9.0f64]]
-- [[12.0f64, 12.0f64, 16.0f64], [0.0f64, 96.0f64, 109.0f64]]
-- [[4.0f64, 8.0f64, 12.0f64], [8.0f64, 10.0f64, 12.0f64]]
-- [[28.0f64, 24.0f64, 40.0f64], [39.0f64, 42.0f64, 36.0f64]]
-- [[33.0f64, 8.0f64, 9.0f64], [0.0f64, 0.0f64, 0.0f64]]
-- [[40227350.0f64, 10631545.0f64, 3389562.0f64], [274824128.0f64, 231902980.0f64, 197330067.0f64]]
