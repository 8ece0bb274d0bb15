-- case: run ( [1i32, 2i32, 3i32] )
def both [n] (f: [n]i32 -> i32) (g: [n]i32 -> [n]i32) (xs: [n]i32) = (f xs, g xs)
def main (xs: []i32) = both i32.sum (map (* 2)) xs
-- ---
6i32
[2i32, 4i32, 6i32]
