-- case: run ( 1i32 )
def main (x: i32) = let (a, b, c) = (x, (x + 1, [x]), ()) in let (d, e) = b let () = c in (a, d, e)
-- ---
1i32
2i32
[1i32]
