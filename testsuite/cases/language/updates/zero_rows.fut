-- case: run ( empty([0][2]i32) )
def main [n][m] (xss: *[n][m]i32) = xss with [:, 0] = replicate n 4
-- ---
empty([0][2]i32)
