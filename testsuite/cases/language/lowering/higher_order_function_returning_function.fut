-- case: run ( 4i32 )
-- higher order function returning function
def adder (x: i32) = \(y: i32) -> x + y def main (x: i32) = adder x 3
-- ---
7i32
