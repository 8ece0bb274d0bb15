-- case: run ( [1i32, -2i32, 3i32] )
-- Language reference, "Causality restriction": the size is known before the function is applied.
def f [n] (_: [n]i32 -> i32): [n]i32 -> i64 = let m = n + 1 in \_ -> m
def main xs = filter (> 0) xs |> f (\_ -> 0)
-- ---
3i64
