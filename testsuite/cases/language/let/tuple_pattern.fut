-- case: run ( 3i32 true )
def main (x: i32) (b: bool) =
  let (y, (c, z)) = (x + 1, (!b, x * 2))
  let (a, _) = (z - y, c)
  in (a, c, y)
-- ---
2i32
false
4i32
