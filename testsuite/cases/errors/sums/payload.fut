-- case: check
def main (t: #a i32 | #b) = match t case #a -> 1 case #b -> 2
-- ---
-- E0206 2:42 `#a` has 1 component, not 0
