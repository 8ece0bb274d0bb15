-- case: run ( 4f16 )
-- f16
def main (x: f16) = f16.sqrt x + 1
-- ---
3.0f16
