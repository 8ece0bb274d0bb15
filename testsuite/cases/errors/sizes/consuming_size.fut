-- case: check
-- Language reference, "Size Types": a size is an expression that consumes no free variables.
def first (xs: *[]i64): i64 = xs[0]
def f [n] (ns: *[n]i64) (xs: [first ns]f32) = xs[0]
-- ---
-- E0303 4:31 this expression cannot be a size
--   bind it with `let` and use the name
