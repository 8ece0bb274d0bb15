-- case: run ( 1i32 [1i32, 2i32] )
-- nested if existentials
def main (a: i32) (xs: []i32) = let ys = if a == 0 then filter (> 1) xs else if a == 1 then xs ++ xs else [a] in map (+ 1) ys
-- ---
[2i32, 3i32, 2i32, 3i32]
