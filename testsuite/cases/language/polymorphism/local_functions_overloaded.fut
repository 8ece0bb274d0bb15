-- case: run ( 2i32 )
-- An operator keeps a local function at one type: that of its uses.
def main (x: i32) = let double y = y + y let second 'a 'b (_: a) (y: b) = y in (double 1.5f32, second x 2i8, second true [x])
-- ---
3.0f32
2i8
[2i32]
