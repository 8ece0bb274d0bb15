-- case: run ( 3i32 )
-- What nothing decides is an i32.
def half x = x / 2
def average x y = half (x + y)
def main (x: i32) = (average x 5, let twice y = y * 2 in twice 1.5f32)
-- ---
4i32
3.0f32
