-- case: run ( 3i32 )
def main (x: i32) =
  let {a, b = (c, _), d = {e}} = {d = {e = x}, b = (x + 1, true), a = x * 2}
  in (a, c, e)
-- ---
6i32
4i32
3i32
