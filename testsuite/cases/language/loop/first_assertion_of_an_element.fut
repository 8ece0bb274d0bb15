-- case: run main ( [7i64, 0i64] [1i64, 1i64] 9i64 )
-- The first assertion of the first element is the one that is reported, though the second one holds for no element (a device may report another element's).
entry main [n] (xs: [n]i64) (ys: [n]i64) (k: i64): [n]i64 =
  map2 (\x y -> let p = assert (x < 5) x let q = assert (k < 5) k in loop sum = p while sum < 100 do sum + y + q) xs ys
-- ---
-- Assertion is false: (x < 5) at first_assertion_of_an_element.fut:4:25 in main
