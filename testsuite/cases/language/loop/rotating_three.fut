-- case: run ( 4i32 )
def main (k: i32) =
  let (a, b, c) = loop (a, b, c) = ([1i32, 2], [3, 4], [5, 6]) for i < k do (b, c, map2 (+) a [i, 1])
  in (a, b, c)
-- ---
[4i32, 5i32]
[7i32, 7i32]
[4i32, 4i32]
