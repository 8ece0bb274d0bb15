-- case: run ( 30i64 )
def main (n: i64) =
  (loop (ps, xs) = ([], 2...n) while length xs > 0 do
     (ps ++ [head xs], filter (\x -> x % head xs != 0) xs)).0
-- ---
[2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64]
