-- case: check
def main (x: i32) = #foo x > #foo x
-- ---
-- E0209 2:21 expected a number or bool, found a sum type with `#foo`
--   2:28 argument 1 of this
