-- case: run ( [2i32] )
-- map over tuple destructuring and nested zip
def main [n] (xs: [n]i32) = map (\((a, b), c) -> a * b + c) (zip (zip xs xs) xs)
-- ---
[6i32]
