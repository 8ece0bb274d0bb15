-- case: check
-- Language reference, "Size Types": sizes of parameters that have no names are as different as others.
def main (xs: []i32) (ys: []i32): [10]i32 = xs ++ ys
-- ---
-- E0304 3:45 cannot tell which sizes make 10 and _ + _ equal
--   give the result a type with sizes
