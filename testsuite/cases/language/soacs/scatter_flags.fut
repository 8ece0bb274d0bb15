-- case: run main ( 9i64 [3i32, 8i32, -1i32, 3i32, 9i32, 0i32, 2000000000i32] )
-- The same truth value for each index, once beside others that stay, and indices that come again or lie outside; numbers that are all the same are scattered as others are.
entry main [k] (n: i64) (is: [k]i32) =
  let flags = scatter (replicate n false) (map i64.i32 is) (replicate k true)
  let others = scatter (map (% 2) (iota n) |> map (== 1)) (map i64.i32 is) (map (const false) is)
  in (flags, others, scatter (replicate n 1u8) (map i64.i32 is) (replicate k 7u8))
-- ---
-- [true, false, false, true, false, false, false, false, true]
-- [false, true, false, false, false, true, false, true, false]
-- [7u8, 1u8, 1u8, 7u8, 1u8, 1u8, 1u8, 1u8, 7u8]
