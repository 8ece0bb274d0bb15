-- case: check
def main = "a\qb"
-- ---
E0106 2:14 there is no such escape
  known are \n \t \r \a \b \f \v \\ \' \" and codes: \65 \x41 \o101
