-- case: run ( 3i32 )
def main (x: i32) =
  let square (y: i32): i32 = y * y
  let add (a, b) c = a + b + c + x
  in (square x, add (1, 2) 3)
-- ---
9i32
9i32
