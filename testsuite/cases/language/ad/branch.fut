-- case: run ( 5.0f64 7.0f64 )
-- Only the branch that is taken matters.
def f b (x: f64, y: f64) = if b then x * y else x / y
def main (x: f64) (y: f64) = (vjp (f true) (x, y) 1, vjp (f false) (x, y) 49)
-- ---
7.0f64
5.0f64
7.0f64
-5.0f64
