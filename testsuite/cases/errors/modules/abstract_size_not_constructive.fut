-- case: check
module m : { type sum [n] [m] } = { type sum [n] [m] = [n + m]bool }
-- ---
-- E0234 2:35 the type `sum` cannot be abstract: the size n of its parameters is no whole dimension of it
--   2:19 asked for here
