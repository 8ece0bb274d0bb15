-- case: check
import "nowhere"
def main = from_nowhere + 1
-- ---
E0240 2:8 there is no such file
