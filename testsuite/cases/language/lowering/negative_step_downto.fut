-- case: run ( 6i32 )
-- negative step & downto
def main (n: i32) = n..(n-2)..>0
-- ---
[6i32, 4i32, 2i32]
