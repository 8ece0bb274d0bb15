-- case: check
import "cycle"
def x = 1
-- ---
-- E0240 cycle.fut:2:8 files cannot import each other: `other.fut` imports `cycle.fut` imports `other.fut`
