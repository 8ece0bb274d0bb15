-- case: run ( [1i32, 2i32] [3i32, 4i32, 5i32] )
-- The terms of a sum stay in the order in which they are written, whatever is put in for them.
def f [n] [m] (fo: [n + m]i32 -> i64) (a: [n]i32) (b: [m]i32) = fo (a ++ b)
def g n m (_: [n + m]i32) = n + m
def main = f (g 2 3)
-- ---
5i64
