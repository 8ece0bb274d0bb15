-- case: run ( [1i32, 2i32] )
def apply 'a 'b (f: a -> b) (x: a) : b = f x
def compose 'a 'b 'c (g: b -> c) (f: a -> b) (x: a) : c = g (f x)
def main (xs: []i32) = (apply (+ 1) 2i32, map (compose (> 1) (* 1)) xs, apply i32.sum xs)
-- ---
3i32
[false, true]
3i32
