-- case: check
import "other"
def main = x
-- ---
-- E0240 other.fut:2:8 files cannot import each other: `cycle.fut` imports `other.fut` imports `cycle.fut`
