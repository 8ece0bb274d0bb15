-- case: run ( 1i32 )
-- Recursion that does not end is an error of its own, with the place of the call.
def f (n: i32): i32 = if n == 0 then 0 else 1 + f (n + 2)
def main n = f n
-- ---
-- too many calls within each other: the recursion does not end, or not soon enough at too_deep.fut:3:49 in f
