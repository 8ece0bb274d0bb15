entry a8 [n] (xs: [n]i8) (ys: [n]u8) : [n]i16 = map2 (\x y -> i16.i8 x + i16.u8 y) xs ys
entry a3 [n][m][k] (xs: [n][m][k]f64) : [k][m][n]f64 = map transpose (transpose (map transpose xs))
entry bools [n] (xs: [n]bool) : [n][n]bool = map (\x -> map (\y -> x && y) xs) xs
entry halves [n] (xs: *[n]f16) : *[n]f16 = if n > 0 then xs with [0] = 1 else xs
entry u16s [n] (xs: [n]u16) (ys: [n]u32) (zs: [n]u64) : u64 = u64.sum (map3 (\a b c -> u64.u16 a + u64.u32 b + c) xs ys zs)
