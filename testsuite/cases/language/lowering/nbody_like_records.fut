-- case: run ( [1f64, 2f64] )
-- nbody like records
type v = {x: f64, y: f64}
def add (a: v) (b: v): v = {x = a.x + b.x, y = a.y + b.y}
def main [n] (xs: [n]f64) = let ps = map (\x -> {x, y = x * 2}) xs let s = reduce add {x = 0, y = 0} ps in (s.x, s.y)
-- ---
3.0f64
6.0f64
