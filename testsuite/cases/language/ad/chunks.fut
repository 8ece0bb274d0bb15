-- case: run ( 9001i64 )
-- Derivatives of maps that read an array from outside, with so many iterations that they go in chunks, the last of which is shorter. By hand: of the
-- distances to c by 2 * (n * c - sum xs), to x by 2 * (k * x - sum cs); an element of `table` counts for all numbers that lead there.
def distances [n][k] (xs: [n]f64) (cs: [k]f64) =
  f64.sum (map (\x -> f64.sum (map (\c -> (x - c) * (x - c)) cs)) xs)
def looked_up [n][k] (xs: [n]f64) (table: [k]f64) = f64.sum (map2 (\i x -> x * table[i % k]) (iota n) xs)
def main (n: i64) =
  let xs = map f64.i64 (iota n)
  let cs = [1, 2, 3]
  let (by_x, by_c) = vjp (\(xs, cs) -> distances xs cs) (xs, cs) 1
  in (by_c, f64.sum by_x, f64.sum (map2 (*) xs by_x), vjp (looked_up xs) cs 1, vjp (\x -> distances x x) [1, 2, 4] 1)
-- ---
-- [-80990998.0f64, -80972996.0f64, -80954994.0f64]
-- 242918988.0f64
-- 1457756955000.0f64
-- [13504500.0f64, 13498500.0f64, 13501500.0f64]
-- [-16.0f64, -4.0f64, 20.0f64]
