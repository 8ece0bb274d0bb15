-- case: check
def main (r: {x: i32, y: i32}) = r.z
-- ---
E0206 2:34 {x: i32, y: i32} has no field `z`
