-- case: run ( 4i64 )
def main (n: i64) =
  loop (a, b) = (replicate n 0i64, replicate n 1i64) for i < n - 1 do
    let x = a[i]
    in (a with [i] = b[i] + i, b with [i + 1] = x + b[i])
-- ---
[1i64, 2i64, 3i64, 0i64]
[1i64, 1i64, 1i64, 1i64]
