-- case: run ( 1i32 [2f32, 3f32] )
def swap 'a 'b (x: a, y: b) : (b, a) = (y, x)
def main (x: i32) (ys: []f32) = swap (swap (swap (x, ys)))
-- ---
[2.0f32, 3.0f32]
1i32
