-- case: check
def main (x: i32) = [x, 1]]
-- ---
E0112 2:27 this `]` closes nothing
