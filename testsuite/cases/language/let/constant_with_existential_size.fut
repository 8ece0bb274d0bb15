-- case: run ( 2i64 )
def evens = filter (\x -> x % 2 == 0) (iota 10)
def main (i: i64) = (length evens, map2 (+) evens evens, evens[i])
-- ---
5i64
[0i64, 4i64, 8i64, 12i64, 16i64]
4i64
