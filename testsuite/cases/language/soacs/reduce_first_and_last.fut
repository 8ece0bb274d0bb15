-- case: run ( [4i32, 3i32, 5i32] )
def main (xs: []i32) =
  let first = reduce (\a b -> if a == -1 then b else a) (-1) xs
  let last = reduce (\a b -> if b == -1 then a else b) (-1) xs
  in (first, last)
-- ---
4i32
5i32
