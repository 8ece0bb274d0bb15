-- case: run ( [1.0f64, 2.0f64, 3.0f64] )
-- Functions that are called, and functions as arguments.
#[noinline]
def square (x: f64) = x * x
#[noinline]
def total [n] (xs: [n]f64) = f64.sum (map square xs)
def grad f x = vjp f x 1f64
def main [n] (xs: [n]f64) = (grad total xs, grad (\xs -> total xs * total (map (2 *) xs)) xs)
-- ---
[2.0f64, 4.0f64, 6.0f64]
[224.0f64, 448.0f64, 672.0f64]
