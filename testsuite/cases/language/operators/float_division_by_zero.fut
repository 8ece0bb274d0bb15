-- case: run ( 0f32 )
def main (z: f32) = (1 / z, -1 / z, z / z, 1 / -z)
-- ---
f32.inf
-f32.inf
f32.nan
-f32.inf
