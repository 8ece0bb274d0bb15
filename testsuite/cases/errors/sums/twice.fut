-- case: check
type t = #a | #b i32 | #a
-- ---
-- E0211 2:24 the constructor `#a` occurs twice
