-- case: run ( 0f64 )
def main (z: f64) = (-z, z == -z, -z + z, z - z)
-- ---
-0.0f64
true
0.0f64
0.0f64
