-- case: run ( 3i32 )
-- Referring to other files: the names of the file, those that it imports itself left out.
import "lib/numbers"
entry main (x: i32) = (double x, inc.f x)
-- ---
6i32
4i32
