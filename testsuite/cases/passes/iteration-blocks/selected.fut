-- case: run main ( 4i64 5i64 6i64 [true, false, true, false, false] )
-- Threads whose variables hold one array of their iteration or another; arrays that a loop swaps while threads have some of their own; arrays of constant size.
entry main (n: i64) (m: i64) (p: i64) (c: [m]bool) =
  let selected = tabulate n (\i ->
    loop acc = 0i32 for k < 3 do
      let x = tabulate_2d m p (\j q -> i32.i64 (i * 10 + j + q) + acc)
      let y = tabulate_2d m p (\j q -> i32.i64 (i * 100 + j * k + q) - acc)
      let z = tabulate m (\j -> let t = if c[j] then x else y
                                in t[m - 1 - j, 0] + t[(j + 1) % m, p - 1] + loop s = 0 for q < 3 do s + t[(j + q) % m, q % p])
      in acc + z[0] + z[m - 1])
  let of_rows = tabulate n (\i ->
    loop acc = replicate m 0i32 for k < 3 do
      let x = tabulate m (\j -> i32.i64 (i * 10 + j) + acc[j])
      let y = tabulate m (\j -> i32.i64 (i * 100 + j * k) - acc[j])
      in tabulate m (\j -> let t = if c[j] then x else y
                           in t[m - 1 - j] + t[(j + 1) % m] + loop s = 0 for q < 3 do s + t[(j + q) % m]))
  let few = tabulate n (\i ->
    loop acc = 0i32 for k < 3 do
      let x = tabulate_2d 2 2 (\j q -> i32.i64 (i * 10 + j + q) + acc)
      let y = tabulate_2d 2 2 (\j q -> i32.i64 (i * 100 + j * k + q) - acc)
      let z = tabulate 2 (\j -> let t = if c[j] then x else y in t[1 - j, 0] + t[(j + 1) % 2, 1] + loop s = 0 for q < 3 do s + t[(j + q) % 2, q % 2])
      in acc + z[0] + z[1])
  let swapped = tabulate n (\i ->
    let a = tabulate_2d m p (\j q -> i32.i64 (i + j * q))
    let b = tabulate_2d m p (\j q -> i32.i64 (i * j - q))
    let (a, b) = loop (a, b) for k < 4 do
      let s = i32.i64 k
      let c = map2 (\r t -> loop r = copy r for h < p do
                              let w = map (+ s) (scan (+) 0 r)
                              let r' = map2 (\x y -> x * 3 - y) w (reverse t)
                              in r' with [h] = w[p - 1]) a b
      in (b, c)
    in i32.sum (flatten (map2 (map2 (^)) a b)))
  in (selected, of_rows, few, swapped)
-- ---
-- [87i32, 1737i32, 3387i32, 5037i32]
-- [[27i32, -53i32, 87i32, 45i32, -44i32], [527i32, 1347i32, -313i32, 2845i32, -2744i32], [1027i32, 2747i32, -713i32, 5645i32, -5444i32], [1527i32, 4147i32, -1113i32, 8445i32, -8144i32]]
-- [27i32, 1677i32, 3327i32, 4977i32]
-- [-746296966i32, -1517223154i32, 299276242i32, 1450471486i32]
