-- case: run ( [1i32, 2i32] )
def on_all [n] (f: [n]i32 -> [n]i32) (xs: [n]i32) : [n]i32 = f (f xs)
def main (xs: []i32) = (on_all (map (+ 1)) xs, on_all reverse xs)
-- ---
[3i32, 4i32]
[1i32, 2i32]
