-- case: run ( 3i32 )
def main (x: i32) =
  let y = x + 1
  let z = y * 2
  let w = z - y
  in w * w
-- ---
16i32
