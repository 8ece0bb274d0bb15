-- case: run ( 1i32 )
-- Module expressions: lambdas, several parameters, modules that take parametric modules.
module type one = { val f : i32 -> i32 }
module both (a: one) (b: one) = { def f (x: i32) = b.f (a.f x) }
module twice = \(m: one) : one -> both m m
module apply (p: one -> one) (m: one) : one = p (p m)
module inc = { def f (x: i32) = x + 1 }
module inc_then = both inc
module r = inc_then { def f (x: i32) = x * 10 }
module q = apply twice inc
def main (x: i32) = (r.f x, q.f x)
-- ---
20i32
5i32
