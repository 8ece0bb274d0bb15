-- case: check
def main (x: i32) = intrinsics.nothing_of_this_name x
-- ---
E0203 2:21 the module `intrinsics` has no `nothing_of_this_name`
