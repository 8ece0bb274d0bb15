-- case: run ( [1i32, 2i32] [true] )
def main (xs: []i32) (bs: []bool) =
  let twice [n] 'a (ys: [n]a) = ys ++ ys
  in (twice xs, twice bs, length (twice (twice xs)))
-- ---
[1i32, 2i32, 1i32, 2i32]
[true, true]
8i64
