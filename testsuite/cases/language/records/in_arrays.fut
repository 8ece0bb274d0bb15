-- case: run ( [1i32, 2i32, 3i32] )
def main (xs: []i32) =
  let ps = map (\x -> {pos = x, even = x % 2 == 0}) xs
  in (map (.pos) ps, (filter (\p -> p.even) ps)[0].pos, ps[2].even)
-- ---
[1i32, 2i32, 3i32]
2i32
false
