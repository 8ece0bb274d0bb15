-- case: run ( 2i64 )
-- unique via function
def upd [n] (xs: *[n]i32) (i: i64) (v: i32): *[n]i32 = xs with [i] = v def main (n: i64) = let a = replicate n 0 let b = upd a 0 5 let c = upd b 1 6 in c
-- ---
[5i32, 6i32]
