-- case: run ( 1f32 2f32 )
type point = {x: f32, y: f32}
def add (a: point) (b: point) : point = {x = a.x + b.x, y = a.y + b.y}
def main (x: f32) (y: f32) = let p = add {x, y} {x = 1, y = 1} in (p.x, p.y)
-- ---
2.0f32
3.0f32
