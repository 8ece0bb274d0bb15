-- case: run main ( [5i32, 1i32, 4i32, 2i32, 8i32, 0i32, 7i32, 3i32] )
-- Bitonic sorting: what is compared lies at the counter with one bit flipped.
def step [n] (size: i64) (apart: i64) (xs: [n]i32): [n]i32 =
  map (\i -> let (x, y) = (xs[i], xs[i ^ apart]) in if ((i & apart) == 0) == ((i & size) == 0) then i32.min x y else i32.max x y) (iota n)
entry main [n] (xs: [n]i32): [n]i32 =
  let (xs, _) = loop (xs, size) = (xs, 2) while size <= n do
    let (xs, _) = loop (xs, apart) = (xs, size / 2) while apart > 0 do (step size apart xs, apart / 2)
    in (xs, size * 2)
  in xs
-- ---
-- [0i32, 1i32, 2i32, 3i32, 4i32, 5i32, 7i32, 8i32]
