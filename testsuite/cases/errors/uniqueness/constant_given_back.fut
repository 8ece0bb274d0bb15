-- case: check
-- "Declaring functions and values": the value returned by a function may not alias a global variable.
def table = [1i32, 2, 3]
def f (x: i32) = if x == 0 then table else [x, x, x]
-- ---
-- E0411 4:18 the result of this function may be `table`, a top-level constant
--   return a `copy`
