-- case: check
-- Paths are relative to the file that they stand in.
import "../../lib/./more/deepest"
def quadruple (x: i32) = four * x
-- ---
-- ok
