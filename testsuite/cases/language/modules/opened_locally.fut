-- case: run ( 9f32 )
def main (x: f32) = f32.(sqrt x + max 1 2 + i32 3)
-- ---
8.0f32
