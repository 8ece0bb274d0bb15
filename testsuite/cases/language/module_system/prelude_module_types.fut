-- case: run ( 2f32 )
-- The prelude's module types; the modules of primitive types match them.
module a: (integral with t = i8) = i8
module b: integral = u64
module c: (float with t = f16 with int_t = u16) = f16
module d: float = f32
module e: real = f64
module f: from_prim = bool
module g: numeric = i64
module mk (R: real) = {
  def area (r: R.t) = R.(i32 3 * r * r)
  def s [n] (xs: [n]R.t) = R.sum xs
}
module m = mk f32
def main (x: f32) = (m.area x, m.s [x, x], a.(i32 1 + i32 2), e.to_f64 (e.f64 3), c.to_bits (c.i32 1))
-- ---
-- 12.0f32
-- 4.0f32
-- 3i8
-- 3.0f64
-- 15360u16
