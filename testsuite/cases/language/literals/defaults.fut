-- case: run ()
-- An unconstrained integer is an i32, an unconstrained fraction an f64.
def main = (1, 2.0, 3e2)
-- ---
1i32
2.0f64
300.0f64
