-- case: run ( 10i32 )
def main (x: i32) =
  let f (y: i32) =
    let g (z: i32) = x + y + z
    in g (y + 1)
  in f 1 + f x
-- ---
44i32
