-- case: run ( [1i32, 2i32, 3i32] )
-- In-place updates through recursive calls.
def fill [n] (i: i64) (xs: *[n]i32): *[n]i32 = if i == n then xs else fill (i + 1) (xs with [i] = i32.i64 i * 10)
def main xs = fill 0 (copy xs)
-- ---
[0i32, 10i32, 20i32]
