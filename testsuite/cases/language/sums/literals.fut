-- case: run ( -1i32 1.5f32 97u8 true )
-- Reference, "match": literals of all kinds as patterns.
def f (x: i32) = match x case -1 -> 1i32 case _ -> 0
def g (x: f32) = match x case 1.5 -> 1i32 case -1.5 -> 2 case _ -> 0
def h (c: u8) = match c case 'a' -> 1i32 case 0x62 -> 2 case _ -> 0
def k (b: bool) = match b case true -> 1i32 case false -> 2
def main (x: i32) (y: f32) (c: u8) (b: bool) = (f x, f 1, g y, g (-y), h c, h (c + 1), k b, k (!b))
-- ---
1i32
0i32
1i32
2i32
1i32
2i32
1i32
2i32
