-- case: run main ( [2i32, 3i32, 5i32] [1i32, 5i32, 4i32, 6i32, 7i32, 0i32] )
-- The fourth key is above all others: its search leaves the array, and stops the program.
entry main [n] [m] (sorted: [n]i32) (keys: [m]i32): [m]i64 = map (\key -> loop i = 0 while sorted[i] < key do i + 1) keys
-- ---
-- Index [3] out of bounds for array of shape [3] at search_that_fails.fut:3:92 in main
