-- case: run ( 3i32 )
def f (): i32 = 4
def g (_: i32): () = ()
def main (x: i32) = let () = g x in f () + x
-- ---
7i32
