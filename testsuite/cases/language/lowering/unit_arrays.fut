-- case: run ( 3i64 )
-- unit arrays
def main (n: i64) = let us = replicate n () in length us
-- ---
3i64
