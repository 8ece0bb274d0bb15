-- case: run ( false )
def main (b: bool) = if b then [[1i32, 2], [3, 4]] else [[5, 6]]
-- ---
[[5i32, 6i32]]
