-- case: run ( 5i32 )
-- Reference, "Higher-order functions": a constructor that is known statically may hold a function.
def apply (f: #fun (i32 -> i32) | #constant i32) (x: i32) = match f case #fun f -> f x case #constant c -> c
def main (x: i32) = (apply (#fun (\y -> y + x)) 1, apply (#constant 7) x)
-- ---
6i32
7i32
