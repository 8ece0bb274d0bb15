-- case: run ( [1i32, 2i32, 3i32] )
-- existential in if through call
def f [n] (xs: [n]i32): []i32 = if n > 2 then filter (> 1) xs else xs
def main [n] (xs: [n]i32) = f (f xs)
-- ---
[2i32, 3i32]
