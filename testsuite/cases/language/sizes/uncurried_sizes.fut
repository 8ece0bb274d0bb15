-- case: run ( 2i64 3i64 )
-- Language reference, "Unknown sizes": a lifted type parameter stands for results whose sizes follow from arguments.
def make (n: i64) (m: i64) (b: bool) = replicate n (replicate m b)
def both (n: i64) (m: i64): ([n][m](), [n][m]bool -> bool) = (replicate n (replicate m ()), \b -> b[0, 0])
def g = uncurry make
def h = uncurry both
def main a b = let (xs, f) = h (a, b) in (map id (g (a, b) true), f (map (map (const true)) xs))
-- ---
[[true, true, true], [true, true, true]]
true
