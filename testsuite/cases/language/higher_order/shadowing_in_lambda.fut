-- case: run ( 3i32 )
def main (x: i32) = let f = \x -> x * 10 let g = \y -> let x = y + x in f x in (f 1, g 1, x)
-- ---
10i32
40i32
3i32
