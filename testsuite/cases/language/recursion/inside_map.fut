-- case: run ( 4i64 )
-- Recursion inside of a parallel operator.
def f (n: i64): i64 = if n == 0 then 0 else 1 + reduce i64.max 0 (map f (iota n))
def main n = f n
-- ---
4i64
