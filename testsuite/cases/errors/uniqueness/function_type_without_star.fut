-- case: check
-- Language reference, "In-place Updates and Higher-Order Functions".
def f (xs: *[]f32): f32 = 0f32
entry g: []f32 -> f32 = f
-- ---
-- E0412 4:25 this function consumes its argument or gives a result that is not `*`, unlike what is expected here
--   functions that consume an argument cannot be passed to functions that do not say so
