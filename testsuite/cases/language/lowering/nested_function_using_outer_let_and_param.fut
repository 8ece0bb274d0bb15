-- case: run ( 1i32 )
-- nested function using outer let and param
def main (n: i32) = let k = n * 2 let f x = x + k let g x = f x * f x in g 1 + g 2
-- ---
25i32
