-- case: run ( 1i32 )
def main (x: i32) =
  let r = {a = x, b = (x, x)}
  let r.a = r.a + 1
  let r.b.1 = r.a * 10
  in (r.a, r.b.0, r.b.1)
-- ---
2i32
1i32
20i32
