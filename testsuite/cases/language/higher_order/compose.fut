-- case: run ( 3i32 )
def compose 'a 'b 'c (f: b -> c) (g: a -> b) = \x -> f (g x)
def main (x: i32) = (compose (+ 1) (* 2) x, compose (* 2) (+ 1) x, (compose (compose (+ 1) (+ 1)) (* 2)) x)
-- ---
7i32
8i32
8i32
