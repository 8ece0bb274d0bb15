-- case: run ()
def main = (true, false)
-- ---
true
false
