-- case: check
def main (x: i32) = let y = #foo x in x
-- ---
-- E0207 2:29 the type of this is ambiguous
--   it is a sum type with `#foo`
--   give it a type, e.g. `x : i32`
