-- case: run ( 3i64 [5i32, 1i32, 4i32, 2i32, 3i32, 9i32, 7i32, 8i32] )
-- Factors of products in a sum are those at the same place: here three unknowns, of which the first two are factors.
def turned [blocks][block][rest] 't (xs: *[blocks * block + rest]t) =
  let (whole, last) = split xs
  in sized (blocks * block + rest) (flatten (map reverse (unflatten whole)) ++ last)

entry main [n] (block: i64) (xs: [n]i32): [n]i32 =
  let blocks = n / block
  let rest = n % block
  let xs = sized (blocks * block + rest) xs
  in sized n (loop xs = copy xs for _i < 3i32 do turned xs)
-- ---
-- [4i32, 1i32, 5i32, 9i32, 3i32, 2i32, 7i32, 8i32]
