-- Julia sets with a small complex module.
-- ==
-- entry: main
-- script input { mk 8i64 }
-- output {
--   [[15i32, 15i32, 15i32, 65558i32, 65558i32, 65558i32, 65558i32, 15i32], [15i32, 65558i32, 65558i32, 131099i32, 0i32, 131099i32, 65558i32,
--   65558i32], [15i32, 65558i32, 196639i32, 327719i32, 0i32, 7024037i32, 196639i32, 131099i32], [65558i32, 196639i32, 2295135i32, 720951i32,
--   16446972i32, 7681709i32, 11367890i32, 2491747i32], [196639i32, 15984632i32, 11433938i32, 0i32, 0i32, 0i32, 11433938i32, 15984632i32],
--   [131099i32, 2491747i32, 11367890i32, 7681709i32, 16446972i32, 720951i32, 2295135i32, 196639i32], [65558i32, 131099i32, 196639i32,
--   7024037i32, 0i32, 327719i32, 196639i32, 65558i32], [15i32, 65558i32, 65558i32, 131099i32, 0i32, 131099i32, 65558i32, 65558i32]]
-- }

module type complex = {
  type real
  type complex
  val mk : real -> real -> complex
  val + : complex -> complex -> complex
  val * : complex -> complex -> complex
  val norm2 : complex -> real
}
module mk_complex (R: real) : complex with real = R.t = {
  type real = R.t
  type complex = (R.t, R.t)
  def mk (a: R.t) (b: R.t) : complex = (a, b)
  def (a, b) + (c, d) : complex = (a R.+ c, b R.+ d)
  def (a, b) * (c, d) : complex = (a R.* c R.- b R.* d, a R.* d R.+ b R.* c)
  def norm2 (a, b) = a R.* a R.+ b R.* b
}
module c32 = mk_complex f32
def divergence (limit: i32) (c: c32.complex) (z0: c32.complex) : i32 =
  let (_, i) = loop (z, i) = (z0, 0) while i < limit && c32.norm2 z < 4 do (c c32.+ z c32.* z, i + 1)
  in i
def colour (limit: i32) (d: i32) : i32 =
  if d == limit then 0 else
  let q = f32.i32 d / f32.i32 limit
  in (i32.f32 (255 * q) << 16) | (i32.f32 (255 * q * q) << 8) | i32.f32 (255 * f32.sqrt q)
entry main (n: i64) (m: i64) (limit: i32) : [n][m]i32 =
  tabulate_2d n m (\i j ->
    let z = c32.mk (3 * f32.i64 j / f32.i64 m - 1.5) (2 * f32.i64 i / f32.i64 n - 1)
    in colour limit (divergence limit (c32.mk (-0.74543) 0.11301) z))
entry mk (n: i64) = (n, n, 256i32)
