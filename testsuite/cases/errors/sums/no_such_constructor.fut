-- case: check
def main (x: i32) : #left i32 | #right = #rigt
-- ---
-- E0206 2:42 #left i32 | #right has no constructor `#rigt`
--   2:21 because the result has the type #left i32 | #right
--   did you mean `right`?
