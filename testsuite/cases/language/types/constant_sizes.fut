-- case: run ()
type rgb = [3]u8
def image : [2][1]rgb = [[[1, 2, 3]], [[4, 5, 6]]]
def main = map (map (\(p: rgb) -> p[1])) image
-- ---
[[2u8], [5u8]]
