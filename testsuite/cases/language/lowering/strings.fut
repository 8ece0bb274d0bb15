-- case: run (  )
-- strings
def main: []u8 = "hello" ++ " w"
-- ---
[104u8, 101u8, 108u8, 108u8, 111u8, 32u8, 119u8]
