-- case: check
def table = [1i32, 2, 3]
def main (x: i32) = table with [0] = x
-- ---
E0404 3:21 `table` is consumed, but it is a top-level constant
  consumed by this update
  2:1 bound here
  `copy` makes a value that can be consumed
