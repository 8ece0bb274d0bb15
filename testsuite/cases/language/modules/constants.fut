-- case: run ()
def main = (f64.pi, f64.e, f32.pi, f32.epsilon, f64.epsilon, f64.inf, f64.nan)
-- ---
3.141592653589793f64
2.718281828459045f64
3.1415927f32
1.1920929e-7f32
2.220446049250313e-16f64
f64.inf
f64.nan
