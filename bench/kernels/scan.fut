-- Sums of all prefixes.
-- ==
-- notest random input { [10000000]i32 }
-- nobench input { [1i32, -2i32, 3i32, 2147483647i32] } output { [1i32, -1i32, 2i32, -2147483647i32] }

entry main [n] (a: [n]i32): [n]i32 = scan (+) 0 a
