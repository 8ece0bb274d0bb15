-- case: check
module type M = { val r : {f: [2]i32 -> i32} }
module m : M = { def r = {f = \(a: *[2]i32) -> (a with [0] = 3)[1]} }
-- ---
E0231 3:16 the value `r` of the module has the type {f: *[2]i32 -> i32}, but its module type asks for {f: [2]i32 -> i32}
  2:23 asked for here
