-- case: run ( 3i32 )
def main (n: i32) = let () = loop () = () for _i < n do () in n
-- ---
3i32
