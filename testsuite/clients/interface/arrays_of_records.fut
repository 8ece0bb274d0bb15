-- | A body.
type body = {x: f64, mass: f64}
entry bodies (n: i64) : [n]body = tabulate n (\i -> {x = f64.i64 i, mass = 1})
entry total [n] (bs: [n]body) : f64 = f64.sum (map (.mass) bs)
type cell = {inside: [4]i32, alive: bool}
entry cells (n: i64) : [n]cell = tabulate n (\i -> {inside = replicate 4 (i32.i64 i), alive = i > 2})
entry alive [n] (cs: [n]cell) : i64 = i64.sum (map (\(c: cell) -> i64.bool c.alive) cs)
