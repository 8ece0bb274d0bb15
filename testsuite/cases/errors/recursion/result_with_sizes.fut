-- case: check
-- The sizes of a recursive call's result cannot be those of the function's own.
def f [n] (xs: [n]i32) = if n == 0 then xs else f (drop 1 xs)
-- ---
-- E0219 3:49 a recursive function whose result has sizes must declare the result's type
