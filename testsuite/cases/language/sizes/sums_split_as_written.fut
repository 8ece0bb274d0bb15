-- case: run ( [1i32, 2i32, 3i32, 4i32, 5i32] )
-- Language reference, "Size Types": the terms of a sum are told by how it is written.
def main (xs: []i32) = let (a, b) = split (xs :> [2 + 3]i32) in (a, b)
-- ---
[1i32, 2i32]
[3i32, 4i32, 5i32]
