-- case: run ( 4i64 2i64 )
-- Language reference, "Recursive functions": functions are passed on unchanged; each call from outside has its own.
def repeat (n: i64) (f: i64 -> i64) (x: i64): i64 = if n == 0 then x else repeat (n - 1) f (f x)
def main (n: i64) (x: i64) = repeat n (\y -> y + x) x + repeat n (* 2) x
-- ---
42i64
