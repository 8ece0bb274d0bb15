-- case: run (  )
-- const size in both
def k: i64 = 3
def f (xs: [k]i64) = reduce (+) 0 xs
def main: i64 = f (iota k)
-- ---
3i64
