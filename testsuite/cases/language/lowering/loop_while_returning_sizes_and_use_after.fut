-- case: run ( 3i64 )
-- loop while returning sizes and use after
def main (n: i64) = let xs = loop xs = iota n while length xs < 10 do xs ++ xs in reduce (+) 0 xs + length xs
-- ---
24i64
