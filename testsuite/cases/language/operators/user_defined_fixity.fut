-- case: run ( 2i32 3i32 )
-- The first characters of an operator decide how it binds.
def (a: i32) +- (b: i32) = a + b
def (a: i32) *- (b: i32) = a * b
def main (a: i32) (b: i32) = (a +- b *- b, a *- b +- b, (+- a) b)
-- ---
11i32
9i32
5i32
