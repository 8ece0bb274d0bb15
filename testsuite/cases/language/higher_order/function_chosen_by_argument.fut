-- case: run ( true 3i32 )
-- A function cannot come out of an `if`; its application can.
def apply_if (b: bool) (f: i32 -> i32) (g: i32 -> i32) (x: i32) = if b then f x else g x
def main (b: bool) (x: i32) = (apply_if b (+ 1) (* 2) x, apply_if (!b) (+ 1) (* 2) x)
-- ---
4i32
6i32
