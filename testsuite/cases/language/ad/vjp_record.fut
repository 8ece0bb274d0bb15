-- case: run ( 5.0f64 7.0f64 )
-- ad.fut: tangents and adjoints have the type of what they belong to, records included.
def main (x: f64) (y: f64) =
  let r = vjp (\(r: {a: f64, b: (f64, bool)}) -> r.a * r.b.0) {a = x, b = (y, true)} 2
  in (r.a, r.b.0, r.b.1)
-- ---
14.0f64
10.0f64
false
