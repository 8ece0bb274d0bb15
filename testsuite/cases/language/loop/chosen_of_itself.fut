-- case: run main ( [3i32, -4, 2147483647, -2147483648, 7, 0, 5, -1, 6] )
-- Variables that a loop makes of themselves by minima and maxima, alone and beside others: sums wrap, cells and indices take them, a branch assigns one.
entry main [n] (xs: [n]i32) =
  let highest = loop best = -2147483648i32 for x in xs do i32.max best x - 1
  let (within, most) = loop (within, most) = (0i32, 0i32) for x in xs do
    let within = i32.max (within + x) 0 in (within, i32.max most within)
  let lowest = loop least = 2147483647i32 for x in xs do i32.min (x + least) (least - x)
  let (cells, _) = loop (cells, last) = (replicate n 0i32, 0i32) for i < n do
    let last = i32.max last xs[i] - 2 in (cells with [i] = last, last)
  let (places, _) = loop (places, at) = (replicate n 0i32, 0i32) for i < n do
    let at = i32.min (i32.max (at + xs[i] % 3) 0) (i32.i64 n - 1) in (places with [i] = xs[i64.i32 at], at)
  let branch = loop c = 0i32 for x in xs do if x > 0 then i32.max c x else i32.min c x
  let unsigned = loop c = 0u32 for x in xs do u32.max c (u32.i32 x) - 1
  in (highest, within, most, lowest, cells, places, branch, unsigned)
-- ---
-- 2147483640i32
-- 17i32
-- 2147483647i32
-- -2147483648i32
-- [1i32, -1i32, 2147483645i32, 2147483643i32, 2147483641i32, 2147483639i32, 2147483637i32, 2147483635i32, 2147483633i32]
-- [3i32, 2147483647i32, -2147483648i32, 7i32, 0i32, 0i32, -1i32, 6i32, 6i32]
-- 6i32
-- 4294967293u32
