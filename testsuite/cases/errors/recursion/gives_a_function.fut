-- case: check
-- Language reference, "Recursive functions", rule 2.
def add (n: i64): i64 -> i64 = \x -> if n == 0 then x else add (n - 1) (x + 1)
-- ---
-- E0219 3:60 the result of `add`, which calls itself, is a function
--   write what it takes as a further parameter
