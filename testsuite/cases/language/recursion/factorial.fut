-- case: run ( 10i64 )
-- Language reference, "Recursive functions": the type of a result without sizes is inferred.
def fact (n: i64) = if n == 0 then 1 else n * fact (n - 1)
entry main = fact
-- ---
3628800i64
