-- case: run ( 2i64 )
-- array of records updates
def main (n: i64) = let ps = map (\i -> {x = i, y = f64.i64 i}) (iota n) let ps[1] = {x = 9, y = 1} in map (.y) ps
-- ---
[0.0f64, 1.0f64]
