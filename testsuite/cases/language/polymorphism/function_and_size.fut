-- case: run ( [1i32, 2i32, 3i32] )
def my_map [n] 'a 'b (f: a -> b) (xs: [n]a) : [n]b = tabulate n (\i -> f xs[i])
def main (xs: []i32) =
  let (ys, bs) = unzip (my_map (\x -> (x, true)) xs)
  in (my_map (+ 1) xs, my_map (\x -> [x, x]) xs, ys, bs)
-- ---
[2i32, 3i32, 4i32]
[[1i32, 1i32], [2i32, 2i32], [3i32, 3i32]]
[1i32, 2i32, 3i32]
[true, true, true]
