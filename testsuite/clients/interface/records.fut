-- | A point in the plane.
type point = {y: f32, x: f32}
type named = {name: [3]u8, at: point, weight: f64}
type outer [n] = {points: [n]point, of: named, flags: [n]bool}
entry make (x: f32) (y: f32) : point = {x, y}
entry name (p: point) (w: f64) : named = {name = [1, 2, 3], at = p, weight = w}
entry outer [n] (ps: [n]point) (o: named) : outer [n] = {points = ps, of = o, flags = map (\p -> p.x > 0) ps}
entry sum [n] (o: outer [n]) : f32 = f32.sum (map (\p -> p.x + p.y) o.points)
entry weigh (o: *[]f64) : []f64 = o
