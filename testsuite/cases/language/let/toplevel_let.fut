-- case: run ( 2i32 )
let k = 5i32
let f (x: i32) = x * k
let main (x: i32) = f x
-- ---
10i32
