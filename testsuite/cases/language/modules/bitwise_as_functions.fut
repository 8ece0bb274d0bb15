-- case: run ( [12u8, 10u8, 9u8] )
def (<-<) 'a 'b 'c (f: b -> c) (g: a -> b) (x: a) = f (g x)
def main (xs: []u8) = (reduce (u8.&) 255 xs, reduce (u8.|) 0 xs, reduce (u8.^) 0 xs, map u8.not xs, map (i32.not <-< i32.u8) xs)
-- ---
8u8
15u8
15u8
[243u8, 245u8, 246u8]
[-13i32, -11i32, -10i32]
