-- case: check
module type m = { val sum : []i32 -> i32 val evens [n] : [n]i32 -> []i32 }
-- ---
-- E0303 2:29 the sizes of parameters must have names in a module type
--   declare a size parameter: `val f [n] : [n]t -> …`
