-- case: run ( 3i64 )
def main (n: i64) =
  loop xss = replicate n (replicate n 0i64) for i < n do
    loop xss for j < i + 1 do
      xss with [i, j] = i * 10 + j
-- ---
[[0i64, 0i64, 0i64], [10i64, 11i64, 0i64], [20i64, 21i64, 22i64]]
