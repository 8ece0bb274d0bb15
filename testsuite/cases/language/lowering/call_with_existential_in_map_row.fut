-- case: run ( 1i64 )
-- call with existential in map row
def f (n: i64): [n + 1]i64 = iota (n + 1) def main (n: i64) = map (\i -> map (+ i) (f n)) (iota 2)
-- ---
[[0i64, 1i64], [1i64, 2i64]]
