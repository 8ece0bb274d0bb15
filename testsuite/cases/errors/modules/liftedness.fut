-- case: check
type t '^a = a
type u '~a = a
module m : { type t } = { type~ t = []i32 }
-- ---
-- E0215 2:14 the type `t` may contain a function
--   declare it with `type^`
-- E0215 3:14 the type `u` may contain sizes of its own
--   declare it with `type~`
-- E0234 4:25 the type `t` of the module is not as its module type says: it is more lifted, or its parameters are less
--   4:19 asked for here
