-- case: check
def main (x: f32) = math.sqrt x
-- ---
E0203 2:21 no module or record `math` is in scope
