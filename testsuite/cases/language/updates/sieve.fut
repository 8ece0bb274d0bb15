-- case: run ( 20i64 )
def main (n: i64) =
  let flags = loop flags = replicate n true for i in 2..<n do
    if flags[i] && i * i < n
    then loop flags for j in i * i..i * i + i..<n do flags with [j] = false
    else flags
  in filter (\i -> i > 1 && flags[i]) (iota n)
-- ---
[2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64]
