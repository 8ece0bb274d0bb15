-- case: run ( 1i32 )
-- shadowed prelude names
def map (x: i32) = x + 1
def main (x: i32) = map x
-- ---
2i32
