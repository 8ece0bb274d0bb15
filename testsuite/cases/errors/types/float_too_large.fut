-- case: check
def main: (f32, f16) = (9.7e42, 1e6)
-- ---
-- E0212 2:25 this number doesn't fit the type f32
-- E0212 2:33 this number doesn't fit the type f16
