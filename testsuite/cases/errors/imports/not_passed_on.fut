-- case: check
import "../../language/imports/lib/numbers"
def main = quadruple 1 + hidden
-- ---
E0201 3:12 unknown name `quadruple`
  not defined here
E0201 3:26 unknown name `hidden`
  not defined here
