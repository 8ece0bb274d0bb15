-- case: run ( 3i32 )
def main (x: i32) =
  let y = x
  let x = x + 1
  let x = x * y
  in (let x = x - 1 in x * 2, x)
-- ---
22i32
12i32
