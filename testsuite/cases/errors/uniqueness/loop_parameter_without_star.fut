-- case: check
-- Language reference, "In-place Updates": a loop's parameter whose type is written without `*` stays.
def main (xs: *[]i32) = loop xs: []i32 for i < 10 do xs with [i] = i + 1
-- ---
-- E0402 3:54 `xs` is consumed, but it is a parameter without `*`
--   consumed by this update
--   3:30 bound here
--   write `*` before the type of the parameter, or `copy` its value
