-- case: check
module type s = { type t val x : t }
module type a = (s with t = i32) with t = i64
module type b = s with u = i32
module type c = s with t 'a = a
-- ---
-- E0233 3:39 `t` is not an abstract type of the module type
--   2:24 declared here
-- E0233 4:24 the module type has no type `u` to refine
-- E0233 5:24 Cannot refine a type with one of other parameters: `t`
--   2:24 declared here
