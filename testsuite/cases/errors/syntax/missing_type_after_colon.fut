-- case: check
def main (x: ) = 1
-- ---
E0110 2:14 expected a type, found `)`
