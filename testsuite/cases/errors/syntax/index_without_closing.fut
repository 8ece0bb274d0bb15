-- case: check
def main (xs: []i32) = xs[0
-- ---
E0112 2:26 this `[` is never closed
  3:1 `]` was expected before this
