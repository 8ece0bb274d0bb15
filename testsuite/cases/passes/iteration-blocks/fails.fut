-- case: run main ( 5i64 [3i64, 4i64, 5i64] )
-- An iteration that fails in its loop.
entry main (size: i64) (at: []i64) =
  map (\p -> loop a = iota size for l < 3 do
               let v = a[p]
               in map (\x -> x + v) a) at
-- ---
-- Index [5] out of bounds for array of shape [5] at fails.fut:5:24 in main
