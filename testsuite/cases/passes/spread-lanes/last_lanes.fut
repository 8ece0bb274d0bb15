-- case: run main ( 37i64 [3f32, 0f32, 1000f32, 2f32, 2f32] )
-- Lanes that leave a while loop at very different times: the last of them finish it in order. Some have no iteration, one has many more than others, all leave at once; two loops, and one in a nest.
entry main [n] (k: i64) (xs: [n]f32) =
  let collatz (n: i64) = (loop (x, c) = (n, 0i64) while x > 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, c + 1)).1
  let long (n: i64) = loop s = 0i32 while s < (if n == 13 then 300 else i32.i64 (n % 2)) do s + 1 + (s & 1)
  let halved (x: f32) = loop y = x while y > 0.75 do y * 0.5
  let even (n: i64) =
    let (s, left) = loop (s, left) = (n, 9i32) while left > 0 do (s * 3 + 1, left - 1)
    in s + i64.i32 left + loop t = s while t > 5 do t / 2
  in (map collatz (iota k), map long (iota k), map halved xs, map even (iota k),
      map (\i -> map (\x -> (loop (y, c) = (x * f32.i64 i, 0i32) while y > 1 do (y / 3, c + 1)).1) xs) (iota 4),
      map (\i -> loop s = i for j < 3 do (loop t = s while t > j * 10 do t - 7) + 20) (iota k))
-- ---
-- more than 100000000 steps at last_lanes.fut:9:27 in main
