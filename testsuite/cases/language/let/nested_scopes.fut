-- case: run ( 1i32 )
def main (x: i32) =
  let a = (let x = x + 10 in x) + (let x = x + 100 in let y = x in x + y)
  in a + x
-- ---
214i32
