-- case: run ( 3i64 false )
-- unit arrays through if
def main (n: i64) (b: bool) = let us = if b then replicate n () else replicate (n+1) () in length us
-- ---
4i64
