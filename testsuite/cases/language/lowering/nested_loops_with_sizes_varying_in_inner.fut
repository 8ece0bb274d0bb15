-- case: run ( 4i64 )
-- nested loops with sizes varying in inner
def main (n: i64) = loop acc = 0 for i < n do acc + length (loop xs = [i] for j < i do xs ++ xs)
-- ---
15i64
