-- case: run (3i32)
-- "unsafe": no safety checks in the expression, assertions among them.
def main (x: i32) = #[unsafe] assert (x % 2 == 0) (x / 2)
-- ---
-- 1i32
