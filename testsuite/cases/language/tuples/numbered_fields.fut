-- case: run ( 1i32 )
-- A tuple is a record with numbered fields.
def main (x: i32) = let t: (i32, bool) = {1 = true, 0 = x} in (t.1, {0 = x, 1 = 2i8}.1, t == (x, true))
-- ---
true
2i8
true
