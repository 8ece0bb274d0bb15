-- case: check
def main = 'ab'
-- ---
E0110 2:12 expected an expression, found `'`
