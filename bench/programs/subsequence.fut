-- The length of the longest common subsequence, by anti-diagonals: each is a map of the two before it.
-- ==
-- notest random input { [4096]u8 [4096]u8 }
-- nobench input { [1u8, 2u8, 3u8, 4u8, 1u8] [3u8, 4u8, 1u8, 2u8, 1u8] } output { 3i32 }
-- nobench input { [1u8, 2u8] [3u8] } output { 0i32 }

entry main [n][m] (a: [n]u8) (b: [m]u8): i32 =
  -- element i of diagonal d is the length for the first i of a and the first d - i of b
  let (last, _) =
    loop (one, two) = (replicate (n + 1) 0i32, replicate (n + 1) 0i32) for d < n + m do
      let next = tabulate (n + 1) (\i ->
        let j = d + 1 - i
        in if i == 0 || j <= 0 || j > m then 0
           else if (a[i - 1] & 3) == (b[j - 1] & 3) then two[i - 1] + 1
           else i32.max one[i - 1] one[i])
      in (next, one)
  in last[n]
