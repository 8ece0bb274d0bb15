-- case: check
-- Who sees `m` through `M` may give `f` a function that consumes; `f` reads the array afterwards.
module type M = { val f : (*[2]i32 -> i32) -> i32 }
module m : M = { def f (g: [2]i32 -> i32) = let a = [1i32, 2] in g a + a[0] }
-- ---
E0231 4:16 the value `f` of the module has the type ([2]i32 -> i32) -> i32, but its module type asks for (*[2]i32 -> i32) -> i32
  3:23 asked for here
