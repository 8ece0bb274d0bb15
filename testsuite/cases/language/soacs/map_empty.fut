-- case: run ( empty([0]i32) )
def main (xs: []i32) = (map (\x -> 10 / x) xs, map2 (+) xs xs, map (\x -> [x, x]) xs, map (\x -> (x, [x])) xs |> unzip |> (.1))
-- ---
empty([0]i32)
empty([0]i32)
empty([0][2]i32)
empty([0][1]i32)
