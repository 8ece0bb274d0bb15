-- case: check
-- A function that calls itself has no derivative yet.
def power (x: f64) (n: i64): f64 = if n <= 0 then 1 else x * power x (n - 1)

def main (x: f64) = jvp (\x -> power x 3) x 1
-- ---
-- limitation 5:21 not supported: the derivative of power, which calls itself
