-- case: run ( 3i64 7i64 )
def add (n: i64) (x: i64): i64 = if n == 0 then x else add (n - 1) (x + 1)
def main n x = let f = add n in f x + f (x + 1)
-- ---
21i64
