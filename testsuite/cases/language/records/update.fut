-- case: run ( 1i32 )
def main (x: i32) =
  let r = {a = x, b = {c = x, d = 2f32}}
  let s = r with a = 5
  let t = s with b.c = 7
  in (r.a, s.a, t.a, t.b.c, t.b.d, s.b.c)
-- ---
1i32
5i32
5i32
7i32
2.0f32
1i32
