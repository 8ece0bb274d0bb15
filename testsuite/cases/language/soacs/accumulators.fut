-- case: run ( [1i32, 2i32, 3i32, 4i32] [0i64, 2i64, -1i64, 7i64, 2i64] )
-- Accumulators: a function of each element writes to an array any number of times; writes outside it are ignored.
type~ acc 't = intrinsics.acc t

def twice 'a (acc: *acc ([]a)) (i: i64) (x: a): *acc ([]a) = intrinsics.acc_write (intrinsics.acc_write acc i x) (i + 1) x

def main (xs: []i32) (is: []i64) =
  ( intrinsics.scatter_stream (copy xs) (\acc i -> twice acc i 9) is
  , intrinsics.hist_stream (copy xs) (+) 0 (\acc i -> twice acc i 10) is
  , intrinsics.hist_stream (zip xs xs) (\(a, b) (c, d) -> (i32.max a c, b + d)) (i32.lowest, 0)
                           (\acc i -> loop acc for j < 2 do intrinsics.acc_write acc (i + j) (3, 1)) is
    |> unzip
  , intrinsics.hist_stream [copy xs, copy xs] (map2 (+)) (map (const 0) xs) (\acc i -> intrinsics.acc_write acc i xs) is
  )
-- ---
[9i32, 9i32, 9i32, 9i32]
[21i32, 12i32, 23i32, 24i32]
[3i32, 3i32, 3i32, 4i32]
[3i32, 3i32, 5i32, 6i32]
[[2i32, 4i32, 6i32, 8i32], [1i32, 2i32, 3i32, 4i32]]
