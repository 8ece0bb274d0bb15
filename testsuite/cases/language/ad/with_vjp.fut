-- case: run ( 2.5f64 )
-- ad.fut, with_vjp: the adjoint takes the result and its cotangent; outside of vjp, and under jvp, it does not matter.
def f (x: f64) = with_vjp (\x -> x * 2) (\r adj -> r + 100 * adj) x
def main (x: f64) = (f x, vjp f x 1, jvp f x 1, vjp (with_vjp_tape (\x -> (x, x * x)) (\(x, adj) -> adj * x * 7)) x 1)
-- ---
5.0f64
105.0f64
2.0f64
17.5f64
