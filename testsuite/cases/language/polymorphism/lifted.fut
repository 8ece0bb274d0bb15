-- case: run ( 3i32 )
def pipe '^a '^b (x: a) (f: a -> b) : b = f x
def main (x: i32) = pipe (pipe x (+)) (\add -> add 1)
-- ---
4i32
