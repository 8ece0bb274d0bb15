-- case: check
-- Language reference, "Size Types": only names of whole parameters can be sizes of a result.
def f (n: i64, _: bool): [0][n]i32 = []
-- ---
-- E0302 3:26 the result's type mentions n, which is known only inside
--   3:8 `n` is bound here
