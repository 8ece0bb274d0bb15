-- case: run ( 3i32 )
-- The attribute is on the whole sum.
def main (x: i32) = #[opaque] x + 1 * 2
-- ---
5i32
