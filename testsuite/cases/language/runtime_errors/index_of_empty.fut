-- case: run ( empty([0]i32) )
def main (xs: []i32) = head xs
-- ---
Index out of bounds at index_of_empty.fut:2:24 in main
