-- case: run (  )
-- const array size used in types
def k: i64 = 3
def main: [k]i64 = iota k
-- ---
[0i64, 1i64, 2i64]
