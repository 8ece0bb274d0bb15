-- case: check
def main (x: i32): #some ([2]i32) | #none = #none :> #some ([2]i32) | #none
-- ---
-- E0304 2:45 a size of this is ambiguous in a size coercion
--   give it a type with sizes before `:>`
