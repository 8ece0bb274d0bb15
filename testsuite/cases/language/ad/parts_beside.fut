-- case: run ( [1.0f64, 2.0f64, 3.0f64, 4.0f64] )
-- A map over an array that reads a part of it, and one over an array and a part of it: what belongs to the part is added to elements of the array while the
-- map's own is. The array is used once more behind the map, so that it has an adjoint already. The values of `beside` are Futhark's; those of the
-- others are by hand. That of `turned`: the sum is of w[i] * w[n-1-i] * w[i] * w[0] with w[0] more.
def beside [n] (w: [n]f64) =
  let p = w[1:]
  in f64.sum (map2 (\i x -> x * p[(i + n - 2) % (n - 1)]) (iota n) w) + w[0]
def turned [n] (w: [n]f64) = f64.sum (map3 (\i x y -> x * y * w[i] * w[0]) (iota n) w (w[::-1])) + w[0]
def behind [n] (w: [n]f64) = f64.sum (map2 (\i x -> x * w[(i + 2) % n]) (iota (n - 1)) w[1:]) + w[0]
def main [n] (w: [n]f64) = (vjp beside w 1, vjp behind w 1, vjp turned w 1, map (\i -> jvp turned w (map (\j -> f64.bool (i == j)) (iota n))) (iota n))
-- ---
-- [5.0f64, 4.0f64, 6.0f64, 9.0f64]
-- [5.0f64, 3.0f64, 6.0f64, 4.0f64]
-- [75.0f64, 21.0f64, 16.0f64, 9.0f64]
-- [75.0f64, 21.0f64, 16.0f64, 9.0f64]
