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
-- [0i64, 0i64, 1i64, 7i64, 2i64, 5i64, 8i64, 16i64, 3i64, 19i64, 6i64, 14i64, 9i64, 9i64, 17i64, 17i64, 4i64, 12i64, 20i64, 20i64, 7i64, 7i64, 15i64, 15i64, 10i64, 23i64, 10i64, 111i64, 18i64, 18i64, 18i64, 106i64, 5i64, 26i64, 13i64, 13i64, 21i64]
-- [0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32, 301i32, 0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32, 1i32, 0i32]
-- [0.75f32, 0.0f32, 0.48828125f32, 0.5f32, 0.5f32]
-- [9845i64, 29527i64, 49210i64, 68894i64, 88578i64, 108259i64, 127942i64, 147626i64, 167310i64, 186993i64, 206674i64, 226357i64, 246040i64, 265724i64, 285407i64, 305090i64, 324773i64, 344457i64, 364140i64, 383823i64, 403504i64, 423187i64, 442870i64, 462553i64, 482236i64, 501919i64, 521602i64, 541286i64, 560969i64, 580652i64, 600335i64, 620018i64, 639701i64, 659385i64, 679068i64, 698751i64, 718434i64]
-- [[0i32, 0i32, 0i32, 0i32, 0i32], [1i32, 0i32, 7i32, 1i32, 1i32], [2i32, 0i32, 7i32, 2i32, 2i32], [2i32, 0i32, 8i32, 2i32, 2i32]]
-- [39i64, 40i64, 34i64, 35i64, 36i64, 37i64, 38i64, 39i64, 40i64, 34i64, 35i64, 36i64, 37i64, 38i64, 39i64, 40i64, 34i64, 35i64, 36i64, 37i64, 38i64, 39i64, 40i64, 34i64, 35i64, 36i64, 37i64, 38i64, 39i64, 40i64, 34i64, 35i64, 36i64, 37i64, 38i64, 39i64, 40i64]
