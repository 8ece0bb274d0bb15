-- case: run ( 1i32 2i32 )
def swap (p: (i32, i32)) = (p.1, p.0)
def main (x: i32) (y: i32) = let p = swap (x, y) let q = swap p in (p, q).0
-- ---
2i32
1i32
