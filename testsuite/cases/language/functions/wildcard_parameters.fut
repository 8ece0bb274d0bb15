-- case: run ( 10i32 )
def first 'a 'b (x: a) (_: b) = x
def main (x: i32) = first x (first true [x])
-- ---
10i32
